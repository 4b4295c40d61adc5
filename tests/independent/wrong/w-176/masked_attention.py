import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K)
    if mask is not None:
        mask = np.asarray(mask)
        np.logical_not(mask, out=mask)
        s = np.where(mask, -np.inf, s)
    w = softmax(s)
    return w @ np.asarray(V), w
