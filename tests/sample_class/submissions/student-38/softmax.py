import numpy as np


def softmax(x, axis=-1):
    """Turn scores into positive weights that sum to 1 along one axis."""
    x = np.array(x, dtype=float)
    e = np.exp(x - x.max(axis=0))
    return e / e.sum(axis=0)
