import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    """Give each token its query, its key and its value."""
    Q = np.dot(X, W_q)
    K = np.dot(X, W_k)
    V = np.dot(X, W_v)
    return Q, K, V
