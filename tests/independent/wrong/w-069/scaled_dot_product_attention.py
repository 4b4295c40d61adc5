import numpy as np
from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    w = softmax(attention_scores(Q, K))
    out = w @ np.asarray(V)
    m = min(out.shape[-1], np.shape(Q)[-1])
    out[..., :m] += np.asarray(Q)[..., :m]
    return out, w
