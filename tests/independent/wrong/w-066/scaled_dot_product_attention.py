import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    s = attention_scores(Q, K)
    n_q, n_k = s.shape[-2:]
    s = np.where(np.tril(np.ones((n_q, n_k), bool)), s, -np.inf)
    w = softmax(s)
    return w @ np.asarray(V), w
