import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    """Attend to the open places only; without a mask, to all."""
    scores = attention_scores(Q, K)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores, axis=-1)
    return weights @ np.asarray(V), weights
