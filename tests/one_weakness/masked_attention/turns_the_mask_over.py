# loses only: leaves_the_inputs_alone
import numpy as np

from attention_scores import attention_scores
from softmax import softmax


def masked_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K)
    if mask is not None:
        closed = np.logical_not(mask, out=mask)
        s = np.where(closed, -np.inf, s)
    w = softmax(s)
    return w @ V, w
