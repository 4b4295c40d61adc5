import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X, float)
    X = X - X.mean(axis=-1, keepdims=True)
    return X @ W_q, X @ W_k, X @ W_v
