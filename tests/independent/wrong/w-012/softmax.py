import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    return x / x.sum(axis=axis, keepdims=True)
