import numpy as np
from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    H = split_heads(np.asarray(X, float), n_heads)
    out, w = masked_attention(H, H, H, mask)
    return concat_heads(out) @ W_o, w
