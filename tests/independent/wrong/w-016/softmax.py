import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(np.min(x, axis=axis, keepdims=True) - x)
    return e / e.sum(axis=axis, keepdims=True)
