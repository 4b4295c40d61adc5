import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    w = softmax(attention_scores(Q, K))
    return w @ np.asarray(V), w
