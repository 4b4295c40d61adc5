"""Scales the queries first, then multiplies."""

import numpy as np


def attention_scores(Q, K):
    Q = np.asarray(Q)
    scaled = Q * Q.shape[-1] ** -0.5
    return np.matmul(scaled, np.moveaxis(K, -1, -2))
