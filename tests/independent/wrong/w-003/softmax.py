import numpy as np


def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    shifted = x - x.max(-1, keepdims=True)
    return np.exp(shifted) / np.exp(shifted).sum(-1, keepdims=True)
