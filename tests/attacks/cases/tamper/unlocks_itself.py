# /// attack
# what = "Tries to take its own confinement off."
# status = "failed"
# needs = "L2"
# ///

import ctypes

libc = ctypes.CDLL(None, use_errno=True)

for option, value in ((1, 0), (4, 1), (38, 0), (36, 0), (22, 0), (24, 0)):
    if libc.prctl(option, value, 0, 0, 0) == 0:
        print("BROKE", option)


def softmax(x, axis=-1):
    return x * 0
