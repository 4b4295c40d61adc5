"""List of heads for one sentence, index arithmetic."""

import numpy as np


def split_heads(X, n_heads):
    X = np.asarray(X)
    d, rest = divmod(X.shape[-1], n_heads)
    if rest:
        raise ValueError("columns left over")
    columns = np.arange(n_heads)[:, None] * d + np.arange(d)
    return np.moveaxis(np.take(X, columns, axis=-1), -2, -3)


def concat_heads(H):
    H = np.asarray(H)
    h, n, d = H.shape[-3:]
    X = np.empty((*H.shape[:-3], n, h * d), H.dtype)
    for i in range(h):
        X[..., i * d : (i + 1) * d] = H[..., i, :, :]
    return X
