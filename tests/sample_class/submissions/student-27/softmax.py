import numpy as np


def softmax(x, axis=-1):
    """Turn scores into positive weights that sum to 1 along one axis."""
    # 先减去每行的最大值，防止溢出
    x = np.array(x, dtype=float)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
