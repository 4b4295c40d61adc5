"""np.transpose with all axes spelt out, one recursion for leading axes."""

import numpy as np


def split_heads(X, n_heads):
    if X.ndim > 2:
        return np.array([split_heads(each, n_heads) for each in X])
    n, d_model = X.shape
    return np.transpose(X.reshape((n, n_heads, d_model // n_heads)), (1, 0, 2))


def concat_heads(H):
    if H.ndim > 3:
        return np.array([concat_heads(each) for each in H])
    h, n, d = H.shape
    return np.transpose(H, (1, 0, 2)).reshape((n, h * d))
