import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x)
    out = np.zeros_like(x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    out[...] = e / e.sum(axis=axis, keepdims=True)
    return out
