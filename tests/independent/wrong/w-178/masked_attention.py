import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K)
    if mask is not None:
        m = np.asarray(mask)
        s = np.where(m.any(axis=-2, keepdims=True) & m[..., :1, :], s, -np.inf)
    w = softmax(s)
    return w @ np.asarray(V), w
