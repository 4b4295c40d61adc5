"""The least float64, everything in one function."""

import numpy as np


def masked_attention(Q, K, V, mask=None):
    s = np.einsum("...id,...jd->...ij", Q, K) / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask == False, np.finfo(np.float64).min, s)  # noqa: E712
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return np.einsum("...ij,...jv->...iv", w, V), w
