"""List of heads, list result, prints."""

import numpy as np

from masked_attention import masked_attention
from project_qkv import project_qkv


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    print("multi-head with", n_heads, "heads")
    Q, K, V = project_qkv(X, W_q, W_k, W_v)
    if np.shape(X)[-1] % n_heads != 0:
        raise ValueError("d_model % n_heads != 0")
    attended = [
        masked_attention(q, k, v, mask)
        for q, k, v in zip(
            np.split(Q, n_heads, -1),
            np.split(K, n_heads, -1),
            np.split(V, n_heads, -1),
            strict=False,
        )
    ]
    outs, ws = zip(*attended, strict=False)
    out = np.concatenate(outs, axis=-1) @ np.asarray(W_o, float)
    return [out, np.stack(ws, axis=-3)]
