# /// attack
# what = "System calls of the x32 kind, to slip past the filter."
# status = "any"
# needs = "L2"
# ///

import ctypes

libc = ctypes.CDLL(None, use_errno=True)

import platform

if platform.machine() == "x86_64" and libc.syscall(0x40000000 + 41, 2, 1, 0) >= 0:
    print("BROKE")


def softmax(x, axis=-1):
    return x * 0
