import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    """Mix the rows of V for every query, by how well its keys fit."""
    weights = softmax(attention_scores(Q, K))
    return np.dot(weights, V), weights
