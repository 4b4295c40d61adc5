# /// attack
# what = "Keeps 40 MB more at each call; the values are right."
# status = "any"
# score = 8
# least = 3
# ///

import numpy as np

KEPT = []


def softmax(x, axis=-1):
    KEPT.append(np.ones(5 * 2**20))
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
