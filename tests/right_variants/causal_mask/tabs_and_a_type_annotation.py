"""Tabs and a type annotation, while loop."""

import numpy as np


def causal_mask(n: int) -> np.ndarray:
    mask = np.full((n, n), False)
    i = 0
    while i < n:
        mask[i, : i + 1] |= True
        i += 1
    return mask
