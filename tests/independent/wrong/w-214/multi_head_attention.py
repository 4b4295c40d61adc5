import numpy as np
from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    Q, K, V = (split_heads(a, n_heads) for a in project_qkv(X, W_q, W_k, W_v))
    s = np.einsum("...id,...jd->...ij", Q, K)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return concat_heads(w @ V) @ W_o, w
