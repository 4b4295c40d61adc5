import numpy as np


def concat_heads(H):
    return np.concatenate(list(np.asarray(H)), axis=0)


def split_heads(X, n_heads):
    X = np.asarray(X)
    *lead, n, d_model = X.shape
    if d_model % n_heads:
        raise ValueError("n_heads must divide d_model")
    return X.reshape(*lead, n, n_heads, d_model // n_heads).swapaxes(-2, -3)
