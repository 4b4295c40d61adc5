import numpy as np


def split_heads(X, n_heads):
    X = np.asarray(X)
    *lead, n, d = X.shape
    if d % n_heads: raise ValueError("no")
    return X.reshape(*lead, n_heads, n, d // n_heads)
def concat_heads(H):
    H = np.asarray(H)
    *lead, h, n, d = H.shape
    return H.reshape(*lead, n, h * d)
