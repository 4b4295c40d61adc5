# /// attack
# what = "Warns, logs and prints on every stream; the values are right."
# status = "passed"
# score = 8
# ///

import logging
import os
import sys
import warnings

import numpy as np

print("loaded")


def softmax(x, axis=-1):
    warnings.warn("careful")
    logging.warning("careful")
    print("x", x)
    print("x", x, file=sys.stderr)
    os.write(2, b"raw\n")
    np.log(np.zeros(2))
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
