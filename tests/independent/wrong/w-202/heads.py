import numpy as np


def split_heads(X, n_heads):
    X = np.asarray(X)
    if X.shape[-1] % n_heads: raise ValueError("no")
    return np.stack(np.split(X, n_heads, axis=-1), axis=0)
def concat_heads(H):
    return np.concatenate(list(np.asarray(H)), axis=-1)
