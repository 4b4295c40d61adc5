# loses only: uneven_heads
import numpy as np


def split_heads(X, n_heads):
    size = X.shape[-1] // n_heads
    return np.stack([X[..., h * size : (h + 1) * size] for h in range(n_heads)], axis=-3)


def concat_heads(H):
    return np.concatenate(np.moveaxis(H, -3, 0), axis=-1)
