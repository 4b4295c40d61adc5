import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X, float)
    d_k = np.shape(W_q)[1]
    return X @ W_q, X @ W_k, X @ np.asarray(W_v)[:, :d_k]
