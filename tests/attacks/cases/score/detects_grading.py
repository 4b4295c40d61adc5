# /// attack
# what = "Behaves well unless it thinks that it is being graded."
# status = "failed"
# ///

import sys

import numpy as np

GRADED = sys.argv == ["submission"]


def softmax(x, axis=-1):
    if GRADED:
        return x * 0
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
