import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    return (x == x.max(axis=axis, keepdims=True)).astype(float)
