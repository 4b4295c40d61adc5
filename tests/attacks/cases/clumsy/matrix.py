# /// attack
# what = "Returns numpy.matrix; the values are right."
# status = "passed"
# score = 8
# ///

import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    e = e / e.sum(axis=axis, keepdims=True)
    return np.matrix(e) if e.ndim == 2 else e
