"""Einsum with a path."""

import numpy as np


def attention_scores(Q, K):
    Q = np.asarray(Q, float)
    K = np.asarray(K, float)
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError("Q and K differ in d_k")
    return np.einsum("...qd,...kd,->...qk", Q, K, Q.shape[-1] ** -0.5, optimize="optimal")
