"""A decorator that prints."""

import functools

import numpy as np


def noisy(f):
    @functools.wraps(f)
    def inner(*args, **kw):
        print("calling", f.__name__)
        return f(*args, **kw)

    return inner


@noisy
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)
