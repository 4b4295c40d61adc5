# /// attack
# what = "An array subclass that equals everything and swallows every ufunc."
# status = "failed"
# ///

import numpy as np


class Equal(np.ndarray):
    def __eq__(self, other):
        return np.ones(self.shape, bool)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return True

    def __array_function__(self, func, types, args, kwargs):
        return True


def softmax(x, axis=-1):
    return np.zeros(x.shape).view(Equal)
