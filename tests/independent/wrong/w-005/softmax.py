import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, float)
    x = x - np.max(x, axis=axis, keepdims=True)
    return np.exp(x) / np.sum(np.exp(x))
