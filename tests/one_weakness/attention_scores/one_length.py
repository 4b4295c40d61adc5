# loses only: more_keys_than_queries
import numpy as np


def attention_scores(Q, K):
    n = Q.shape[-2]
    out = np.zeros((*Q.shape[:-2], n, n))
    for i in range(n):
        for j in range(n):
            out[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(-1)
    return out / np.sqrt(Q.shape[-1])
