# loses only: large_scores
import numpy as np


def scaled_dot_product_attention(Q, K, V):
    e = np.exp(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ V, w
