import numpy as np


def causal_mask(n):
    m = np.zeros((n, n), dtype=bool)
    for i in range(n - 1):
        for j in range(i + 1):
            m[i, j] = True
    return m
