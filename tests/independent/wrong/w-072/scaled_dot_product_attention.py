import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    s = attention_scores(Q, K)
    w = np.exp(s)
    w /= w.sum(axis=-1, keepdims=True)
    return w @ np.asarray(V), w
