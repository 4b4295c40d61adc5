import numpy as np
from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    Q, K, V = (split_heads(a, n_heads) for a in project_qkv(X, W_q, W_k, W_v))
    out, w = masked_attention(Q, K, V, mask)
    return concat_heads(out) @ W_o, w.mean(axis=-3)
