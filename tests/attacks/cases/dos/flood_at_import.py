# /// attack
# what = "Prints 60 MB in one line while it is imported, then is right."
# status = "passed"
# score = 8
# ///

import os

import numpy as np

for _ in range(60):
    os.write(1, b"y" * 2**20)


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
