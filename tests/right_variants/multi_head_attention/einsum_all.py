"""einsum with a head axis in the matrices."""

import numpy as np

from softmax import softmax


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    d_model = X.shape[-1]
    cube = (d_model, n_heads, d_model // n_heads)
    Q, K, V = (np.einsum("...nd,dhe->...hne", X, W.reshape(cube)) for W in (W_q, W_k, W_v))
    scores = np.einsum("...hqe,...hke->...hqk", Q, K) / np.sqrt(cube[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    mixed = np.einsum("...hqk,...hke->...hqe", weights, V)
    output = np.einsum("...hne,hed->...nd", mixed, W_o.reshape(n_heads, cube[-1], d_model))
    return output, weights
