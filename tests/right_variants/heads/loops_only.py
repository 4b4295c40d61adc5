"""Number by number."""

import numpy as np


def split_heads(X, n_heads):
    *lead, n, d = X.shape
    if d % n_heads != 0:
        raise ValueError
    size = d // n_heads
    out = np.zeros((*lead, n_heads, n, size))
    for h in range(n_heads):
        for i in range(n):
            for c in range(size):
                out[..., h, i, c] = X[..., i, h * size + c]
    return out


def concat_heads(H):
    *lead, n_heads, n, size = H.shape
    out = np.zeros((*lead, n, n_heads * size))
    for h in range(n_heads):
        for i in range(n):
            for c in range(size):
                out[..., i, h * size + c] = H[..., h, i, c]
    return out
