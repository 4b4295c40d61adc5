import numpy as np

from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Project, split, attend in each head, put side by side, project with W_o."""
    Q, K, V = project_qkv(X, W_q, W_k, W_v)
    Q, K, V = split_heads(Q, n_heads), split_heads(K, n_heads), split_heads(V, n_heads)
    outputs, weights = [], []
    for h in range(n_heads):
        o, w = masked_attention(Q[..., h, :, :], K[..., h, :, :], V[..., h, :, :], mask)
        outputs.append(o)
        weights.append(w)
    together = concat_heads(np.stack(outputs, axis=-3))
    return together @ W_o, np.stack(weights, axis=-3)
