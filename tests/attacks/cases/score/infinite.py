# /// attack
# what = "Returns infinity."
# status = "failed"
# ///

import numpy as np


def softmax(x, axis=-1):
    return x + np.inf
