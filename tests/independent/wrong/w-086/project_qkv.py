import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    return np.asarray(W_q, float) @ X, np.asarray(W_k, float) @ X, np.asarray(W_v, float) @ X
