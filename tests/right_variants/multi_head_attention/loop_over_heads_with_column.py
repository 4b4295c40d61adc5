"""Loop over heads with column slices and W_o in row blocks."""

import numpy as np

from masked_attention import masked_attention


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    X = np.asarray(X, float)
    W_q, W_k, W_v, W_o = (np.asarray(W, float) for W in (W_q, W_k, W_v, W_o))
    d_model = X.shape[-1]
    if d_model % n_heads:
        raise ValueError("n_heads")
    d = d_model // n_heads
    out, tables = 0, []
    for h in range(n_heads):
        b = slice(h * d, h * d + d)
        m = mask
        if m is not None and np.ndim(m) > 2:
            m = np.asarray(m)[..., h if np.shape(m)[-3] > 1 else 0, :, :]
        o, w = masked_attention(X @ W_q[:, b], X @ W_k[:, b], X @ W_v[:, b], m)
        out = out + o @ W_o[b]
        tables.append(w)
    return out, np.stack(tables, axis=-3)
