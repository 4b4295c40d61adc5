import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X, float)
    return X @ W_v, X @ W_k, X @ W_q
