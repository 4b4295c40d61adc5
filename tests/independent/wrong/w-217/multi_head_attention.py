import numpy as np
from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    X = np.asarray(X)
    n, d_model = X.shape
    if d_model % n_heads: raise ValueError("bad")
    dh = d_model // n_heads
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    outs, ws = [], []
    for h in range(n_heads):
        o, w = masked_attention(Q[:, h*dh:(h+1)*dh], K[:, h*dh:(h+1)*dh], V[:, h*dh:(h+1)*dh], mask)
        outs.append(o)
        ws.append(w)
    return np.hstack(outs) @ W_o, np.array(ws)
