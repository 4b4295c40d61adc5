import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X, float)
    return X @ np.asarray(W_v).T, X @ np.asarray(W_k).T, X @ np.asarray(W_q).T
