import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X, float)
    Q = X @ W_q / np.sqrt(np.shape(W_q)[1])
    return Q, X @ W_k, X @ W_v
