import numpy as np

from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Project, split, attend in each head, put side by side, project with W_o."""
    Q, K, V = project_qkv(X, W_q, W_k, W_v)
    Q = split_heads(Q, n_heads)
    K = split_heads(K, n_heads)
    V = split_heads(V, n_heads)
    heads, weights = masked_attention(Q, K, V, mask)
    return concat_heads(heads) @ W_o, weights
