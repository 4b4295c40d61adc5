import numpy as np


def causal_mask(n):
    return np.eye(n, dtype=bool)
