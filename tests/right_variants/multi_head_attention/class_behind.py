"""A class does the work; the function makes one and calls it."""

import numpy as np

from heads import concat_heads, split_heads
from scaled_dot_product_attention import scaled_dot_product_attention
from softmax import softmax


class Heads:
    def __init__(self, W_q, W_k, W_v, W_o, n_heads):
        self.inwards, self.W_o, self.n_heads = (W_q, W_k, W_v), W_o, n_heads

    def __call__(self, X, mask=None):
        Q, K, V = (split_heads(np.matmul(X, W), self.n_heads) for W in self.inwards)
        if mask is None:
            output, weights = scaled_dot_product_attention(Q, K, V)
        else:
            scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
            weights = softmax(np.where(mask, scores, np.finfo(float).min))
            output = weights @ V
        return concat_heads(output) @ self.W_o, weights


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    return Heads(W_q, W_k, W_v, W_o, n_heads)(X, mask)
