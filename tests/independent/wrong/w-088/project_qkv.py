import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X, float)
    return tuple(np.asarray(W).T @ np.swapaxes(X, -1, -2) for W in (W_q, W_k, W_v))
