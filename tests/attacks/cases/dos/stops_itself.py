# /// attack
# what = "Stops its own process."
# status = "any"
# ///

import os
import signal


def softmax(x, axis=-1):
    os.kill(os.getpid(), signal.SIGSTOP)
    return x * 0
