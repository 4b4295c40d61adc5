"""Finfo.min fill, np.putmask, unusual names."""

import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    logits = np.array(attention_scores(Q, K))
    if mask is None:
        mask = np.ones(1, bool)
    np.putmask(
        logits, np.broadcast_to(np.logical_not(mask), logits.shape), np.finfo(logits.dtype).min
    )
    probs = softmax(logits)
    return np.einsum("...qk,...kv->...qv", probs, np.asarray(V)), probs
