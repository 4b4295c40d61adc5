import numpy as np


def split_heads(X, n_heads):
    X = np.asarray(X)
    n, d = X.shape
    return X.reshape(n, n_heads, d // n_heads).transpose(1, 0, 2)


def concat_heads(H):
    H = np.asarray(H).swapaxes(-2, -3)
    return H.reshape(*H.shape[:-2], -1)
