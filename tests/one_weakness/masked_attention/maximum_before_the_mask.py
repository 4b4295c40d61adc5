# loses only: large_scores
import numpy as np

from attention_scores import attention_scores


def masked_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    if mask is not None:
        e = np.where(mask, e, 0.0)
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ V, w
