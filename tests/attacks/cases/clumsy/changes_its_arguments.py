# /// attack
# what = "Works in place on the caller's array; the values are right."
# status = "partial"
# score = 6
# ///

import numpy as np


def softmax(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x
