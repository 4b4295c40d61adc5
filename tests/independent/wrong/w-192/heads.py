import numpy as np


def split_heads(X, n_heads):
    X = np.asarray(X)
    return np.array(np.split(X, n_heads, axis=0))


def concat_heads(H):
    H = np.asarray(H).swapaxes(-2, -3)
    return H.reshape(*H.shape[:-2], -1)
