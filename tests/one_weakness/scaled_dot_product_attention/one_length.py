# loses only: more_keys_than_queries
import numpy as np

from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    n = Q.shape[-2]
    s = np.zeros((*Q.shape[:-2], n, n))
    for i in range(n):
        for j in range(n):
            s[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(-1) / np.sqrt(Q.shape[-1])
    w = softmax(s)
    return w @ V, w
