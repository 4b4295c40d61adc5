"""Shares the scale between queries and keys."""

import numpy as np


def attention_scores(Q, K):
    root = np.shape(Q)[-1] ** 0.25
    return (np.asarray(Q) / root) @ (np.asarray(K) / root).swapaxes(-2, -1)
