"""Fourth roots on both sides."""

import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)
    r = Q.shape[-1] ** 0.25
    return (Q / r) @ (K / r).swapaxes(-2, -1)
