import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    p = 2 ** (x - x.max(axis=axis, keepdims=True))
    return p / p.sum(axis=axis, keepdims=True)
