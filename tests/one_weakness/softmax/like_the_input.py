# loses only: whole_numbers
import numpy as np


def softmax(x, axis=-1):
    out = np.zeros_like(x)
    out[...] = np.exp(x - x.max(axis=axis, keepdims=True))
    total = out.sum(axis=axis, keepdims=True)
    return out / total
