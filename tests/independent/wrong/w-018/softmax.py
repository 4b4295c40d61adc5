import numpy as np


def softmax(x, axis=-1):
    x = np.clip(np.asarray(x, dtype=float), -500, 500)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
