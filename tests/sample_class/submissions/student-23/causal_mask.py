import numpy as np


def causal_mask(n):
    """Say for n tokens in a row who may look at whom."""
    return np.tril(np.ones((n, n))).astype(bool)
