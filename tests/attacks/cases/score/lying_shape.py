# /// attack
# what = "An object with a shape whose __array__ looks for the expected value in the caller."
# status = "failed"
# ///

import sys

import numpy as np


class Answer:
    shape, dtype, ndim = (3, 5), np.dtype(float), 2

    def __array__(self, *args, **kwargs):
        frame = sys._getframe()
        while frame is not None:
            for value in list(frame.f_locals.values()):
                if isinstance(value, np.ndarray) and value.shape == self.shape:
                    return value
            frame = frame.f_back
        return np.zeros(self.shape)

    __eq__ = __le__ = __ge__ = lambda self, other: True


def softmax(x, axis=-1):
    return Answer()
