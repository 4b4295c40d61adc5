# /// attack
# what = "Closes and replaces the standard streams; the values are right."
# status = "passed"
# score = 8
# ///

import io
import sys

import numpy as np

sys.stdout.close()
sys.stdout = io.StringIO()
sys.stderr = None
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
