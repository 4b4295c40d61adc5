import numpy as np


def causal_mask(n):
    m = np.tri(n, dtype=bool)
    m[1:, 0] = False
    return m
