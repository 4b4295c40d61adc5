import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K)
    if mask is not None:
        n_q, n_k = s.shape[-2:]
        s = np.where(np.tri(n_q, n_k, dtype=bool), s, -1e9)
    w = softmax(s)
    return w @ np.asarray(V), w
