"""Additive log mask with errstate."""

import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None, fill=None):
    bias = 0.0
    if mask is not None:
        with np.errstate(divide="ignore"):
            bias = np.log(np.asarray(mask).astype(float))
    W = softmax(attention_scores(Q, K) + bias)
    return W @ np.asarray(V, dtype=float), W
