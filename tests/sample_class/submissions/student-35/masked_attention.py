import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    """Attend to the open places only; without a mask, to all."""
    scores = attention_scores(Q, K)
    if mask is not None:
        mask = np.broadcast_to(mask, scores.shape)
        for place in np.ndindex(scores.shape):
            if not mask[place]:
                scores[place] = -1e300
    weights = softmax(scores)
    return np.matmul(weights, V), weights
