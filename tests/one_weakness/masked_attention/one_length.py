# loses only: more_keys_than_queries
import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    n = Q.shape[-2]
    if mask is None:
        mask = np.ones((n, n), dtype=bool)
    w = softmax(np.where(mask, attention_scores(Q, K), -np.inf)[..., :n])
    return w @ V, w
