"""float32 from the first line on."""

import numpy as np


def scaled_dot_product_attention(Q, K, V):
    Q, K, V = (np.asarray(a, np.float32) for a in (Q, K, V))
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(np.float32(Q.shape[-1]))
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ V, w
