import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K)
    if mask is not None:
        s = s * mask
    w = softmax(s)
    return w, w @ np.asarray(V)
