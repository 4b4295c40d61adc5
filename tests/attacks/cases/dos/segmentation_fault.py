# /// attack
# what = "Reads address 0."
# status = "error"
# ///

import ctypes


def softmax(x, axis=-1):
    return ctypes.string_at(0)
