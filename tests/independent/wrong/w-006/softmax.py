import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, float)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis)
