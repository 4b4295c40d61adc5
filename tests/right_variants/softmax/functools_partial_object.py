"""Functools.partial object."""

from functools import partial

import numpy as np


def _softmax(shift, x, axis=-1):
    x = np.asarray(x) * 1.0
    e = np.exp(x - shift(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


softmax = partial(_softmax, np.max)
