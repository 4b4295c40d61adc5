"""Hands back nested lists instead of an array, and prints on the way."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    print("softmax of shape", x.shape)
    shifted = np.subtract(x, np.amax(x, axis=axis, keepdims=True))
    e = np.power(np.e, shifted)
    return np.divide(e, np.add.reduce(e, axis=axis, keepdims=True)).tolist()
