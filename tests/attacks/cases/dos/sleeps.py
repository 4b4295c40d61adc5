# /// attack
# what = "Sleeps for an hour."
# status = "timeout"
# ///

import time


def softmax(x, axis=-1):
    time.sleep(3600)
