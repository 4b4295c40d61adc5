"""Loops over sentences, heads and queries."""

import numpy as np

from softmax import softmax


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    if X.ndim > 2:
        parts = [multi_head_attention(x, W_q, W_k, W_v, W_o, n_heads, mask) for x in X]
        return np.array([p[0] for p in parts]), np.array([p[1] for p in parts])
    n, d = X.shape
    size = d // n_heads
    Q, K, V = X.dot(W_q), X.dot(W_k), X.dot(W_v)
    joined = np.zeros((n, d))
    weights = np.zeros((n_heads, n, n))
    for h in range(n_heads):
        own = range(h * size, (h + 1) * size)
        for i in range(n):
            row = np.full(n, -np.inf)
            for j in range(n):
                if mask is None or mask[i, j]:
                    row[j] = sum(Q[i, c] * K[j, c] for c in own) / size**0.5
            weights[h, i] = softmax(row)
            for c in own:
                joined[i, c] = sum(weights[h, i, j] * V[j, c] for j in range(n))
    return joined.dot(W_o), weights
