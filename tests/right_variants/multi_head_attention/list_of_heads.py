"""Head by head, each with its columns of the matrices; the weights in a list."""

import numpy as np

from masked_attention import masked_attention


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    size = W_q.shape[1] // n_heads
    outputs, weights = [], []
    for h in range(n_heads):
        cut = slice(h * size, (h + 1) * size)
        o, w = masked_attention(X @ W_q[:, cut], X @ W_k[:, cut], X @ W_v[:, cut], mask)
        outputs.append(o)
        weights.append(w)
    output = np.concatenate(outputs, axis=-1) @ W_o
    return output, weights if X.ndim == 2 else np.stack(weights, axis=-3)
