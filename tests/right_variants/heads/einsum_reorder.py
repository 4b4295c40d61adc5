"""Einsum reorder."""

import numpy as np


def split_heads(X, n_heads):
    X = np.asarray(X)
    if X.shape[-1] % n_heads:
        raise ValueError
    return np.einsum("...nhd->...hnd", X.reshape((*X.shape[:-1], n_heads, -1)))


def concat_heads(H):
    H = np.einsum("...hnd->...nhd", np.asarray(H))
    return H.reshape((*H.shape[:-2], -1))
