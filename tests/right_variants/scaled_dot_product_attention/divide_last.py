"""Normalises the output, not only the weights: powers @ V, then one division."""

import numpy as np


def scaled_dot_product_attention(Q, K, V, return_scores=False):
    s = Q @ np.swapaxes(K, -1, -2) * Q.shape[-1] ** -0.5
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    total = np.sum(e, axis=-1, keepdims=True)
    if return_scores:
        return e @ V / total, e / total, s
    return e @ V / total, e / total
