# loses only: large_scores
import numpy as np

from heads import concat_heads, split_heads


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))
    e = np.exp(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))
    if mask is not None:
        e = e * mask
    w = e / e.sum(axis=-1, keepdims=True)
    return concat_heads(w @ V) @ W_o, w
