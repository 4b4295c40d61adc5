import numpy as np


def causal_mask(n):
    mask = np.zeros((n, n), dtype=int)
    for i in range(n):
        for j in range(i, n):
            mask[i, j] = 1
    return mask
