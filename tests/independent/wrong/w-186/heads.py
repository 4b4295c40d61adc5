import numpy as np


def split_heads(X, n_heads):
    X = np.asarray(X)
    d = X.shape[-1] // n_heads
    return np.stack([X[..., i * d:(i + 1) * d] for i in range(n_heads)], axis=-3)


def concat_heads(H):
    H = np.asarray(H).swapaxes(-2, -3)
    return H.reshape(*H.shape[:-2], -1)
