# loses only: leaves_the_input_alone
import numpy as np


def split_heads(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError
    size = X.shape[-1] // n_heads
    heads = []
    for _ in range(n_heads):
        heads.append(X[..., :size].copy())
        X[..., : X.shape[-1] - size] = X[..., size:]
    return np.stack(heads, axis=-3)


def concat_heads(H):
    return np.concatenate(np.moveaxis(H, -3, 0), axis=-1)
