# /// attack
# what = "Kills its own process."
# status = "error"
# ///

import ctypes
import os
import signal


def softmax(x, axis=-1):
    try:
        os.kill(os.getpid(), signal.SIGKILL)
    except OSError:
        ctypes.string_at(0)
    return x * 0
