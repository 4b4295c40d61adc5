"""Np.linalg identity: polarisation of norms."""

import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q, float), np.asarray(K, float)
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError
    q = Q[..., :, None, :]
    k = K[..., None, :, :]
    return (((q + k) ** 2).sum(-1) - ((q - k) ** 2).sum(-1)) / 4 / np.sqrt(Q.shape[-1])
