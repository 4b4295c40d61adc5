# loses only: large_scores
import numpy as np

from heads import concat_heads, split_heads


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max())
    w = e / e.sum(axis=-1, keepdims=True)
    return concat_heads(w @ V) @ W_o, w
