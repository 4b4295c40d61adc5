# /// attack
# what = "Gives an array of a class that answers every NumPy function with True."
# status = "failed"
# ///

import numpy as np


class Yes(np.ndarray):
    def __array_function__(self, *args, **kwargs):
        return True

    def __array_ufunc__(self, *args, **kwargs):
        return True

    def __reduce__(self):
        return print, ("BROKE",)

    tobytes = tolist = __array__ = lambda self, *args, **kwargs: self


def softmax(x, axis=-1):
    return np.zeros(x.shape).view(Yes)
