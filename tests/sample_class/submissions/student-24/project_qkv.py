import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    """Give each token its query, its key and its value."""
    X = np.asarray(X, dtype=float)
    Q = X @ W_q
    K = X @ W_k
    V = X @ W_v
    return Q, K, V
