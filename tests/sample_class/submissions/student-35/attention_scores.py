import numpy as np


def dot(a, b):
    if len(a) != len(b):
        raise ValueError("the two vectors have different lengths")
    total = 0.0
    for u, v in zip(a, b):
        total += float(u) * float(v)
    return total


def attention_scores(Q, K):
    """Score every key for every query: dot products, divided by sqrt(d_k)."""
    Q, K = np.asarray(Q), np.asarray(K)
    if Q.ndim > 2:
        # one sentence after the other
        return np.array([attention_scores(q, k) for q, k in zip(Q, K)])
    scores = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            scores[i, j] = dot(Q[i], K[j]) / len(K[j]) ** 0.5
    return scores
