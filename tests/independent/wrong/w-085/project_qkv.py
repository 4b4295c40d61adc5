import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X, float)
    Q = X @ W_q
    K = X @ W_k
    V = X @ W_v
    return Q, V, K
