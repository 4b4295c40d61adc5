# loses only: leaves_the_inputs_alone
import numpy as np

from heads import concat_heads, split_heads
from softmax import softmax


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    W_q /= np.sqrt(X.shape[-1] // n_heads)
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))
    s = Q @ np.swapaxes(K, -1, -2)
    w = softmax(s if mask is None else np.where(mask, s, -np.inf))
    return concat_heads(w @ V) @ W_o, w
