"""Reduce sum over outer products, namedtuple."""

from collections import namedtuple

import numpy as np

QKV = namedtuple("QKV", ["Q", "K", "V"])


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X, float)

    def along(W):
        W = np.asarray(W, float)
        if X.shape[-1] != W.shape[0]:
            raise ValueError(f"{X.shape} {W.shape}")
        return sum(X[..., i, None] * W[i] for i in range(W.shape[0]))

    return QKV(*map(along, (W_q, W_k, W_v)))
