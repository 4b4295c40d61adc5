import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    """Attend to the open places only; without a mask, to all."""
    scores = attention_scores(Q, K)
    if mask is not None:
        scores = scores + np.where(mask, 0.0, -np.inf)
    weights = softmax(scores)
    return np.einsum("...qk,...kv->...qv", weights, V), weights
