import numpy as np


def split_heads(X, n_heads):
    """Give each head its own block of neighbouring columns."""
    X = np.array(X)
    n, d_model = X.shape
    if d_model % n_heads != 0:
        raise ValueError("cannot split")
    return X.reshape(n, n_heads, d_model // n_heads).transpose(1, 0, 2)


def concat_heads(H):
    """Put the heads side by side again: the way back from `split_heads`."""
    n_heads, n, d_head = np.shape(H)
    return np.transpose(H, (1, 0, 2)).reshape(n, n_heads * d_head)
