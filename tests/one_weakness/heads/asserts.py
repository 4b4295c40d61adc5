# loses only: uneven_heads
import numpy as np


def split_heads(X, n_heads):
    assert X.shape[-1] % n_heads == 0
    return np.swapaxes(X.reshape(*X.shape[:-1], n_heads, -1), -2, -3)


def concat_heads(H):
    return np.concatenate(np.moveaxis(H, -3, 0), axis=-1)
