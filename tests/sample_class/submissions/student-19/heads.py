import numpy as np


def split_heads(X, n_heads):
    """Give each head its own block of neighbouring columns."""
    X = np.asarray(X)
    d_model = X.shape[-1]
    if d_model % n_heads != 0:
        raise ValueError("n_heads must divide d_model")
    X = X.reshape(X.shape[:-1] + (n_heads, d_model // n_heads))
    return X.swapaxes(-3, -2)


def concat_heads(H):
    """Put the heads side by side again: the way back from `split_heads`."""
    H = np.asarray(H).swapaxes(-3, -2)
    return H.reshape(H.shape[:-2] + (-1,))
