# /// attack
# what = "Returns arrays of dates, records, long doubles and zero bytes."
# status = "failed"
# ///

import itertools

import numpy as np

ANSWERS = itertools.cycle(
    [
        np.zeros((3, 5), "M8[s]"),
        np.zeros((3, 5), [("a", "f8")]),
        np.zeros((3, 5), np.longdouble),
        np.zeros((3, 5), "V8"),
        np.zeros((3, 5), "S0"),
    ]
)


def softmax(x, axis=-1):
    return next(ANSWERS)
