import numpy as np


def softmax(x, axis=-1):
    """Turn scores into positive weights that sum to 1 along one axis."""
    x = np.asarray(x, dtype=np.float64)
    x = x - x.max(axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis, keepdims=True)
    return x
