import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    w = softmax(attention_scores(Q, K))
    if mask is not None:
        w = w * mask
    return w @ np.asarray(V), w
