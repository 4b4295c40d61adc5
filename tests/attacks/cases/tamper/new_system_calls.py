# /// attack
# what = "System calls newer than the filter."
# status = "failed"
# needs = "L2"
# ///

import ctypes

libc = ctypes.CDLL(None, use_errno=True)

import ctypes

for number in range(463, 600):
    ctypes.set_errno(0)
    if libc.syscall(number, -1, 0, 0, 0, 0, 0) >= 0 or ctypes.get_errno() != 38:
        print("BROKE", number)


def softmax(x, axis=-1):
    return x * 0
