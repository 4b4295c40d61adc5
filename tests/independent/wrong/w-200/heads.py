import numpy as np


def split_heads(X, n_heads):
    return np.stack([np.asarray(X)[..., i::n_heads] for i in range(n_heads)], axis=-3)
def concat_heads(H):
    return np.concatenate(list(H), axis=0)
