import numpy as np


def attention_scores(Q, K):
    """Score every key for every query: dot products, divided by sqrt(d_k)."""
    Q, K = np.asarray(Q, float), np.asarray(K, float)
    return np.einsum("...qd,...kd->...qk", Q, K)
