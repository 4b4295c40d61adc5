import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    scores = attention_scores(Q, K) / np.sqrt(np.shape(Q)[-1])
    w = softmax(scores)
    return w @ np.asarray(V), w
