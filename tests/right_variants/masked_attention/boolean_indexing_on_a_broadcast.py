"""Boolean indexing on a broadcast copy."""

import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    S = attention_scores(Q, K)
    if mask is not None:
        S = S.copy()
        closed = np.broadcast_to(~np.asarray(mask, bool), S.shape)
        S[closed] = -np.inf
    W = softmax(S)
    return W @ np.asarray(V, float), W
