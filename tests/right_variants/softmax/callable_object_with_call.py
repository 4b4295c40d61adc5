"""Callable object with __call__."""

import numpy as np


class _Softmax:
    __slots__ = ()

    def __call__(self, x, axis=-1):
        x = np.array(x, dtype="f8", copy=True)
        x -= x.max(axis=axis, keepdims=True)
        np.exp(x, out=x)
        x /= x.sum(axis=axis, keepdims=True)
        return x


softmax = _Softmax()
