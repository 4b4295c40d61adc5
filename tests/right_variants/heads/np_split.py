"""np.split, which raises by itself, and np.stack."""

import numpy as np


def split_heads(X, n_heads):
    return np.stack(np.split(X, n_heads, axis=-1), axis=-3)


def concat_heads(H):
    return np.concatenate(np.moveaxis(H, -3, 0), axis=-1)
