# /// attack
# what = "Writes files until the disk is full."
# status = "failed"
# needs = "L2"
# ///

import os

for place in (".", "/tmp", "/var/tmp", "/dev/shm", "{CLASS}", "{OUT}"):
    try:
        path = os.path.join(place, "attn-fill")
        with open(path, "wb") as file:  # which a worker may keep in its memory
            file.write(bytes(2**20))
        if os.path.exists(path):
            print("BROKE", place)
        os.write(os.open(path, os.O_WRONLY | os.O_CREAT), bytes(2**20))
        print("BROKE", place)
    except OSError:
        pass


def softmax(x, axis=-1):
    return x * 0
