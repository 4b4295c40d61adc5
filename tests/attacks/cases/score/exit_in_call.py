# /// attack
# what = "Ends the process with success when it is called."
# status = "error"
# ///

import os


def softmax(x, axis=-1):
    os._exit(0)
