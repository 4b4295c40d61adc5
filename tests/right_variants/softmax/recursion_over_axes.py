"""Recursion over axes."""

import numpy as np


def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    x = np.moveaxis(x, axis, -1)

    def go(a):
        if a.ndim == 1:
            e = np.exp(a - max(a))
            return e / sum(e)
        return np.array([go(row) for row in a])

    return np.moveaxis(go(x), -1, axis)
