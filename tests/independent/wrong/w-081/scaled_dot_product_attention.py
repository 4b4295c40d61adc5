import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    w = softmax(attention_scores(Q, K) / np.sqrt(np.shape(K)[-1]))
    return np.round(w @ np.asarray(V), 2), w
