"""Float32 inside with functools.reduce."""

from functools import reduce

import numpy as np

from heads import split_heads
from masked_attention import masked_attention


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    def f(a):
        return np.asarray(a, dtype=np.float32)

    Q, K, V = (split_heads(f(X) @ f(W), n_heads) for W in (W_q, W_k, W_v))
    outputs, W = masked_attention(Q, K, V, mask)
    glued = reduce(
        lambda a, b: np.concatenate([a, b], -1), [outputs[..., h, :, :] for h in range(n_heads)]
    )
    return glued @ f(W_o), W
