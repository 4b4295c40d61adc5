import numpy as np


def softmax(x, axis=-1):
    """Turn scores into positive weights that sum to 1 along one axis."""
    e = np.exp(np.asarray(x, dtype=float))
    return e / e.sum(axis=axis, keepdims=True)
