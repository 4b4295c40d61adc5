# loses only: whole_numbers
import numpy as np

from heads import split_heads
from masked_attention import masked_attention


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))
    mixed, w = masked_attention(Q, K, V, mask)
    joined = np.zeros_like(X)
    size = X.shape[-1] // n_heads
    for h in range(n_heads):
        joined[..., h * size : (h + 1) * size] = mixed[..., h, :, :]
    return joined @ W_o, w
