import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    """Mix the rows of V for every query, by how well its keys fit."""
    scores = attention_scores(Q, K)
    weights = softmax(scores, axis=-1)
    output = np.matmul(weights, V)
    return output, weights
