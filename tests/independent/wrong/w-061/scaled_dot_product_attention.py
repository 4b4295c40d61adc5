import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    Q, K, V = (np.asarray(a, float) for a in (Q, K, V))
    w = softmax(np.einsum("...qd,...kd->...qk", Q, K))
    return np.einsum("...qk,...kv->...qv", w, V), w
