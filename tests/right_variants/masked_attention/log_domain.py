"""np.log of the mask as bias, log-sum-exp as normaliser."""

import numpy as np


def masked_attention(Q, K, V, mask=None, temperature=1.0):
    scores = np.matmul(Q, np.moveaxis(K, -1, -2)) / (np.sqrt(Q.shape[-1]) * temperature)
    if mask is not None:
        with np.errstate(divide="ignore"):
            scores = scores + np.log(np.asarray(mask, dtype=float))
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    return np.matmul(weights, V), weights
