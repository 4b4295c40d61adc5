# /// attack
# what = "Returns an array of 200 MiB that is really there."
# status = "failed"
# ///

import numpy as np


def softmax(x, axis=-1):
    return np.zeros((2**11, 100 * 2**7))
