# /// attack
# what = "A thread rewrites the returned buffer while it is compared."
# status = "any"
# most = 0
# ///

import threading

import numpy as np

SCRATCH = {}


def rewrite():
    while True:
        for x, out in list(SCRATCH.values()):
            e = np.exp(x - x.max(axis=-1, keepdims=True))
            out[...] = e / e.sum(axis=-1, keepdims=True)
            out[...] = 0


threading.Thread(target=rewrite, daemon=True).start()


def softmax(x, axis=-1):
    out = np.zeros(x.shape)
    SCRATCH[0] = (x, out)
    return out
