"""Products by broadcasting, then one sum: no matrix product."""

import numpy as np


def attention_scores(Q, K, scale=None):
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    scale = np.sqrt(Q.shape[-1]) if scale is None else scale
    return (Q[..., :, None, :] * K[..., None, :, :]).sum(-1) / scale
