import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    q, k, v = (np.asarray(X, float) @ W for W in (W_q, W_k, W_v))
    return k, q, v
