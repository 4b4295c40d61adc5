"""Loops over queries with only the open keys."""

import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    Q, K, V = (np.asarray(a, float) for a in (Q, K, V))
    S = attention_scores(Q, K)
    if K.shape[-2] != V.shape[-2]:
        raise ValueError("K and V")
    M = np.ones(S.shape, bool) if mask is None else np.broadcast_to(mask, S.shape)
    W = np.zeros(S.shape)
    for place in np.ndindex(S.shape[:-1]):
        keep = np.flatnonzero(M[place])
        W[place][keep] = softmax(S[place][keep])
    return W @ V, W
