import numpy as np


def split_heads(X, n_heads):
    """Give each head its own block of neighbouring columns."""
    X = np.asarray(X)
    if X.shape[-1] % n_heads != 0:
        raise ValueError("n_heads must divide d_model")
    return X.reshape(X.shape[:-2] + (n_heads, X.shape[-2], X.shape[-1] // n_heads))


def concat_heads(H):
    """Put the heads side by side again: the way back from `split_heads`."""
    H = np.asarray(H).swapaxes(-3, -2)
    return H.reshape(H.shape[:-2] + (-1,))
