import numpy as np


def split_heads(X, n_heads):
    """Give each head its own block of neighbouring columns."""
    X = np.asarray(X)
    d_model = X.shape[-1]
    if d_model % n_heads:
        raise ValueError("d_model must be a multiple of n_heads")
    size = d_model // n_heads
    blocks = []
    for h in range(n_heads):
        blocks.append(X[..., h * size : (h + 1) * size])
    return np.stack(blocks, axis=-3)


def concat_heads(H):
    """Put the heads side by side again: the way back from `split_heads`."""
    H = np.asarray(H)
    blocks = []
    for h in range(H.shape[-3]):
        blocks.append(H[..., h, :, :])
    return np.concatenate(blocks, axis=-1)
