"""Recursion over leading axes with loops."""

import math

import numpy as np


def attention_scores(Q, K):
    Q = np.asarray(Q, float)
    K = np.asarray(K, float)
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError("d_k")
    if Q.ndim > 2:
        if Q.shape[:-2] != K.shape[:-2]:
            raise ValueError("leading axes")
        return np.array([attention_scores(q, k) for q, k in zip(Q, K, strict=False)])
    root = math.sqrt(K.shape[-1])
    return np.array(
        [[math.fsum(a * b for a, b in zip(q, k, strict=False)) / root for k in K] for q in Q]
    )
