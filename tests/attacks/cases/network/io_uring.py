# /// attack
# what = "Sets up io_uring, which would carry calls past a filter."
# status = "failed"
# needs = "L2"
# ///

import ctypes

libc = ctypes.CDLL(None, use_errno=True)

parameters = ctypes.create_string_buffer(256)
if libc.syscall(425, 4, parameters) >= 0:
    print("BROKE")


def softmax(x, axis=-1):
    return x * 0
