"""Slices of columns in a list for one sentence, stacked for several."""

import numpy as np


def split_heads(X, n_heads):
    d_head, rest = divmod(X.shape[-1], n_heads)
    if rest:
        raise ValueError(f"{n_heads} heads do not fit {X.shape[-1]} columns")
    parts = [X[..., h * d_head : (h + 1) * d_head] for h in range(n_heads)]
    return parts if X.ndim == 2 else np.stack(parts, axis=-3)


def concat_heads(H):
    return np.concatenate([H[..., h, :, :] for h in range(H.shape[-3])], axis=-1)
