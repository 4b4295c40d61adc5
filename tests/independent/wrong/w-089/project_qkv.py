import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    Q = np.asarray(X, float) @ W_q
    K = Q @ W_k
    V = K @ W_v
    return Q, K, V
