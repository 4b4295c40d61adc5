import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X, float)
    Q = X @ W_q
    return Q, Q, X
