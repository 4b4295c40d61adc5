import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q), np.asarray(K)
    S = np.empty(Q.shape[:-1] + (K.shape[-2],), dtype=Q.dtype)
    S[...] = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    return S
