"""Where= argument of the reductions."""

import numpy as np

from attention_scores import attention_scores


def masked_attention(Q, K, V, mask=None):
    S = attention_scores(Q, K)
    m = True if mask is None else np.broadcast_to(np.asarray(mask, bool), S.shape)
    top = S.max(axis=-1, keepdims=True, where=m, initial=-np.inf)
    E = np.exp(S - top, where=m, out=np.zeros_like(S)) if mask is not None else np.exp(S - top)
    W = E / E.sum(-1, keepdims=True)
    return np.matmul(W, V), W
