# loses only: whole_numbers
import numpy as np

from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    s = np.zeros((*Q.shape[:-1], K.shape[-2]), dtype=Q.dtype)
    s[...] = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9)
    w = softmax(s)
    return w @ V, w
