"""Cumulative logical or of the identity."""

import numpy as np


def causal_mask(n):
    return np.logical_or.accumulate(np.eye(n, dtype=bool), axis=0)
