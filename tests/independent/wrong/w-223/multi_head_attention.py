import numpy as np
from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    Q, K, V = project_qkv(X, W_q, W_k, W_v)
    d = Q.shape[-1] // n_heads
    outs, ws = [], []
    for h in range(n_heads):
        s = slice(h * d, None if h == n_heads - 1 else (h + 1) * d)
        o, w = masked_attention(Q[..., s], K[..., s], V[..., s], mask)
        outs.append(o); ws.append(w)
    return np.concatenate(outs, -1) @ W_o, np.stack(ws, -3)
