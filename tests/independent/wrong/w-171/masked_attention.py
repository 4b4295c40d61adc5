import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K)
    w = softmax(s)
    if mask is None:
        return w @ np.asarray(V), w
    masked = softmax(np.where(mask, s, -np.inf))
    return masked @ np.asarray(V), w
