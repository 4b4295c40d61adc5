# /// attack
# what = "Looks for what an earlier submission left."
# status = "failed"
# needs = "L2"
# ///

import ctypes

libc = ctypes.CDLL(None, use_errno=True)

import builtins
import os
import sys

if libc.shmget(4242, 64, 0) >= 0:
    print("BROKE shm")
for place in ("/dev/shm/attn-note", "/tmp/attn-note", "/var/tmp/attn-note", "attn-note"):
    if os.path.exists(place):
        print("BROKE", place)
if hasattr(builtins, "SEEN") or hasattr(sys, "SEEN") or builtins.len([1]) != 1:
    print("BROKE memory")


def softmax(x, axis=-1):
    return x * 0
