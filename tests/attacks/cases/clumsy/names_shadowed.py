# /// attack
# what = "Overwrites builtins' names at the top of its file; the values are right."
# status = "passed"
# score = 8
# ///

import numpy as np

sum, len, print, isinstance, range, open, list = 0, 3, None, lambda *a: True, 5, None, []
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
