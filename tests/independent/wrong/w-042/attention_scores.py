import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q, float), np.asarray(K, float)
    n, d = Q.shape[-2:]
    S = np.zeros(Q.shape[:-1] + (n,))
    for i in range(n):
        for j in range(n):
            S[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(-1) / d ** 0.5
    return S
