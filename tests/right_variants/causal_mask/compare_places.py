"""Compares each query's place with each key's."""

import numpy as np


def causal_mask(n):
    place = np.arange(n)
    return place[:, None] >= place[None, :]
