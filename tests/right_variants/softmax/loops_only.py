"""Plain loops over rows and entries, math.exp, nested lists back into an array."""

import math

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    moved = np.moveaxis(x, axis, -1)
    flat = moved.reshape(-1, moved.shape[-1])
    out = np.zeros(flat.shape)
    for i in range(flat.shape[0]):
        top = max(float(v) for v in flat[i])
        powers = [math.exp(float(v) - top) for v in flat[i]]
        total = sum(powers)
        for j, p in enumerate(powers):
            out[i, j] = p / total
    return np.moveaxis(out.reshape(moved.shape), -1, axis)
