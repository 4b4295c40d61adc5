import numpy as np
from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    Q, K, V = project_qkv(X, W_q, W_k, W_v)
    if Q.shape[-1] % n_heads: raise ValueError
    cut = lambda a: np.stack([a[..., i::n_heads] for i in range(n_heads)], -3)
    out, w = masked_attention(cut(Q), cut(K), cut(V), mask)
    return concat_heads(out) @ W_o, w
