"""Loops over tokens, columns and numbers."""

import numpy as np


def times(X, W):
    flat = np.reshape(X, (-1, np.shape(X)[-1]))
    out = np.zeros((len(flat), W.shape[1]))
    for i in range(len(flat)):
        for j in range(W.shape[1]):
            for c in range(W.shape[0]):
                out[i, j] += flat[i, c] * W[c, j]
    return out.reshape(*np.shape(X)[:-1], W.shape[1])


def project_qkv(X, W_q, W_k, W_v):
    return times(X, W_q), times(X, W_k), times(X, W_v)
