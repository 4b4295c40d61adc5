import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    """Attend to the open places only; without a mask, to all."""
    scores = attention_scores(Q, K)
    weights = softmax(scores)
    if mask is not None:
        weights = np.where(mask, weights, 0)
    return np.einsum("...qk,...kv->...qv", weights, V), weights
