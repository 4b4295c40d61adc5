import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X)
    return X @ np.asarray(W_q), X @ np.asarray(W_k), X @ np.asarray(W_v).astype(int)
