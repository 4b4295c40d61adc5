import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    """Attend to the open places only; without a mask, to all."""
    weights = softmax(attention_scores(Q, K))
    if mask is not None:
        weights = weights * mask
    return weights @ np.asarray(V), weights
