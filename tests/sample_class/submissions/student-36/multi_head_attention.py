import numpy as np

from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Project, split, attend in each head, put side by side, project with W_o."""
    Q, K, V = (split_heads(part, n_heads) for part in project_qkv(X, W_q, W_k, W_v))
    output, weights = masked_attention(Q, K, V, mask)
    return np.einsum("...nd,de->...ne", concat_heads(output), W_o), weights
