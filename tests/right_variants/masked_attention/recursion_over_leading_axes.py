"""Recursion over leading axes."""

import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    Q, K, V = (np.asarray(a, float) for a in (Q, K, V))
    n_q, n_k = Q.shape[-2], K.shape[-2]
    lead = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    mask = np.ones((n_q, n_k), bool) if mask is None else np.asarray(mask, bool)
    mask = np.broadcast_to(mask, (*lead, n_q, n_k))
    if lead:
        parts = [masked_attention(q, k, v, m) for q, k, v, m in zip(Q, K, V, mask, strict=False)]
        return np.array([p[0] for p in parts]), np.array([p[1] for p in parts])
    W = softmax(np.where(mask, attention_scores(Q, K), -np.inf))
    return W @ V, W
