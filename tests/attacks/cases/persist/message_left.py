# /// attack
# what = "Leaves a message for the next submission."
# status = "failed"
# needs = "L2"
# ///

import ctypes

libc = ctypes.CDLL(None, use_errno=True)

import os

if libc.shmget(4242, 64, 0o1666) >= 0:
    print("BROKE shm")
if libc.msgget(4242, 0o1666) >= 0:
    print("BROKE msg")
for place in ("/dev/shm/attn-note", "/tmp/attn-note", "/var/tmp/attn-note", "/run/attn-note", "attn-note"):
    try:
        with open(place, "w") as file:  # which a worker may keep in its memory
            file.write("note")
        if os.path.exists(place):
            print("BROKE", place)
        os.write(os.open(place, os.O_WRONLY | os.O_CREAT), b"note")
        print("BROKE", place)
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0
