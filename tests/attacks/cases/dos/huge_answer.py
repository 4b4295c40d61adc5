# /// attack
# what = "Returns an array of 2 GiB."
# status = "failed"
# ///

import numpy as np


def softmax(x, axis=-1):
    return np.broadcast_to(np.float64(0), (2**14, 2**14))
