import numpy as np


def causal_mask(n):
    return np.where(np.tri(n, dtype=bool), 0.0, -np.inf)
