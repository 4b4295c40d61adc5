import numpy as np


def times(X, W):
    X, W = np.asarray(X), np.asarray(W)
    if X.ndim > 2:
        return np.array([times(x, W) for x in X])
    if X.shape[1] != W.shape[0]:
        raise ValueError("the shapes do not fit")
    out = np.zeros((X.shape[0], W.shape[1]))
    for i in range(X.shape[0]):
        for j in range(W.shape[1]):
            for k in range(W.shape[0]):
                out[i, j] += X[i, k] * W[k, j]
    return out


def project_qkv(X, W_q, W_k, W_v):
    """Give each token its query, its key and its value."""
    return times(X, W_q), times(X, W_k), times(X, W_v)
