import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    Q, K, V = (np.asarray(a, float) for a in (Q, K, V))
    w = softmax(Q @ K.swapaxes(-1, -2) / Q.shape[-1], axis=-2)
    return w @ V, w
