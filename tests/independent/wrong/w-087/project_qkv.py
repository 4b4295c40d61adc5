import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X, float)
    return X @ np.transpose(W_q), X @ np.transpose(W_k), X @ np.transpose(W_v)
