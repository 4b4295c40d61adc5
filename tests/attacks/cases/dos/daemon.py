# /// attack
# what = "A twice-forked process that outlives the grading."
# status = "failed"
# ///

import os
import time

try:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(300)
        os._exit(0)
except OSError:
    pass


def softmax(x, axis=-1):
    return x * 0
