import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask):
    s = attention_scores(Q, K)
    s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return w @ np.asarray(V), w
