import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q), np.asarray(K)
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
