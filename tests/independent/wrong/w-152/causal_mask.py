import numpy as np


def causal_mask(n):
    m = np.zeros((n, n))
    m[np.triu_indices(n, 1)] = -1e9
    return m
