"""Array of objects avoided: keyword-only extra options and debug prints."""

import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V, *, verbose=True, **options):
    scores = attention_scores(Q, K)
    if verbose:
        print("scores:", scores)
    weights = softmax(scores, axis=scores.ndim - 1)
    if verbose:
        print("weights:", weights, flush=True)
    return weights @ np.array(V, dtype=float), weights
