import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    Q, K, V = np.asarray(Q, float), np.asarray(K, float), np.asarray(V, float)
    w = softmax(Q @ K.swapaxes(-1, -2))
    if mask is not None:
        w = w * mask
    return w @ V, w
