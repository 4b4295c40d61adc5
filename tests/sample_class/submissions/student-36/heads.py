import numpy as np


def split_heads(X, n_heads):
    """Give each head its own block of neighbouring columns."""
    *lead, n, d_model = np.shape(X)
    if d_model % n_heads:
        raise ValueError(f"{d_model} columns, {n_heads} heads: no")
    return np.einsum("...nhd->...hnd", np.reshape(X, (*lead, n, n_heads, d_model // n_heads)))


def concat_heads(H):
    """Put the heads side by side again: the way back from `split_heads`."""
    *lead, h, n, d = np.shape(H)
    return np.einsum("...hnd->...nhd", np.asarray(H)).reshape(*lead, n, h * d)
