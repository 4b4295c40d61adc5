import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    s = attention_scores(Q, K)
    w = softmax(s)
    return np.matmul(s, V), w
