import numpy as np


def attention_scores(Q, K):
    """Score every key for every query: dot products, divided by sqrt(d_k)."""
    return np.dot(Q, np.array(K).T) / np.sqrt(np.shape(K)[1])
