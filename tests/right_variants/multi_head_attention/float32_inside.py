"""float32 from input to output."""

import numpy as np

from heads import concat_heads, split_heads


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None, verbose=True):
    X, W_q, W_k, W_v, W_o = (np.asarray(a, np.float32) for a in (X, W_q, W_k, W_v, W_o))
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(np.float32(Q.shape[-1]))
    if mask is not None:
        s = np.where(mask, s, np.float32(-1e9))
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    if verbose:
        print("weights", w.shape, w.dtype)
    return concat_heads(w @ V) @ W_o, w
