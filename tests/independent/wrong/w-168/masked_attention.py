import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K)
    if mask is None:
        mask = np.tri(*s.shape[-2:], dtype=bool)
    w = softmax(np.where(mask, s, -np.inf))
    return w @ np.asarray(V), w
