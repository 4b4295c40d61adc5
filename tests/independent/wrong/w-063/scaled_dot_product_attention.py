import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    s = attention_scores(Q, K)
    e = np.exp(s - s.max())
    w = e / e.sum()
    return w @ np.asarray(V), w
