# /// attack
# what = "Starts threads until there are no more."
# status = "any"
# ///

import threading
import time

import numpy as np

for _ in range(2000):
    try:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    except (RuntimeError, MemoryError):
        break


def softmax(x, axis=-1):
    return x * 0
