import numpy as np


def attention_scores(Q, K):
    """Score every key for every query: dot products, divided by sqrt(d_k)."""
    Q = np.asarray(Q, dtype=float)
    K = np.asarray(K, dtype=float)
    d_k = Q.shape[-1]
    return np.matmul(Q, np.swapaxes(K, -2, -1)) / np.sqrt(d_k)
