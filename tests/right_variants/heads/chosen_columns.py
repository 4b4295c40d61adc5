"""Fancy indices: a table of column numbers, one row a head."""

import numpy as np


def split_heads(X, n_heads):
    d_model = np.shape(X)[-1]
    columns = np.arange(d_model).reshape(n_heads, d_model // n_heads)
    print("columns of each head:", columns.tolist())
    return np.moveaxis(np.asarray(X)[..., columns], -2, -3)


def concat_heads(H):
    pieces = [np.take(H, h, axis=-3) for h in range(np.shape(H)[-3])]
    out = pieces[0]
    for piece in pieces[1:]:
        out = np.append(out, piece, axis=-1)
    return out
