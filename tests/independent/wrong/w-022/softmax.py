import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    return np.exp(x) / np.exp(x).sum()
