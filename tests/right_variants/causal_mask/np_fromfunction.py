"""Np.fromfunction."""

import numpy as np


def causal_mask(n):
    return np.fromfunction(lambda i, j: j <= i, (n, n))
