"""Lists in, lists out."""

import numpy as np


def split_heads(X, n_heads):
    X = np.asarray(X)
    if X.shape[-1] % n_heads != 0:
        raise ValueError(f"{n_heads} heads do not share {X.shape[-1]} columns")
    if X.ndim > 2:
        return [split_heads(x, n_heads) for x in X]
    d = X.shape[-1] // n_heads
    return [[row[h * d : (h + 1) * d].tolist() for row in X] for h in range(n_heads)]


def concat_heads(H):
    H = np.asarray(H)
    if H.ndim > 3:
        return [concat_heads(h) for h in H]
    return [[v for head in H for v in head[i]] for i in range(H.shape[1])]
