# /// attack
# what = "Ends the process with success while it is imported."
# status = "error"
# ///

import os

print("10 passed")
os._exit(0)


def softmax(x, axis=-1):
    return x * 0
