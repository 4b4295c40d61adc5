import numpy as np


def causal_mask(n):
    """Say for n tokens in a row who may look at whom."""
    i = np.arange(n)
    return i[:, None] >= i[None, :]
