# /// attack
# what = "Closes every descriptor."
# status = "error"
# ///

import os


def softmax(x, axis=-1):
    os.closerange(0, 65536)
    return x * 0
