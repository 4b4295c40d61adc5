import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    Q, K, V = np.array(Q), np.array(K), np.array(V)
    scores = np.dot(Q, K.T) / np.sqrt(K.shape[-1])
    weights = softmax(scores)
    return np.dot(weights, V), weights
