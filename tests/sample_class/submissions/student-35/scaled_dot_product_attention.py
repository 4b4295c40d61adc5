import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    """Mix the rows of V for every query, by how well its keys fit."""
    V = np.asarray(V)
    if V.ndim > 2:
        pairs = [scaled_dot_product_attention(q, k, v) for q, k, v in zip(Q, K, V)]
        return np.array([o for o, w in pairs]), np.array([w for o, w in pairs])
    weights = softmax(attention_scores(Q, K))
    if weights.shape[1] != len(V):
        raise ValueError("there must be one value for each key")
    output = np.zeros((len(weights), V.shape[1]))
    for i in range(len(weights)):
        for j in range(len(V)):
            for c in range(V.shape[1]):
                output[i, c] += weights[i, j] * V[j, c]
    return output, weights
