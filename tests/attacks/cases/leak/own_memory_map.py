# /// attack
# what = "Reads its own memory through ctypes, past everything Python knows."
# status = "failed"
# ///

TOKEN = "{TOKEN_HEAD}" + "{TOKEN_TAIL}"
import ctypes

import numpy as np

# The heap around a fresh object, as far as it is mapped in one piece.
base = id(object()) & ~0xFFFF
found = ctypes.string_at(base, 0x10000)
if found.count(TOKEN.encode()) > 3:
    print("BROKE heap")


def softmax(x, axis=-1):
    return x * 0
