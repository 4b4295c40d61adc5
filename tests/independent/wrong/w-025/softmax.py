import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    x = (x - x.max(axis=axis, keepdims=True)).astype(np.float16)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
