import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float64)
    z = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return np.round(z / z.sum(axis=axis, keepdims=True), 3)
