# /// attack
# what = "Replaces numpy.random so that the judge's own inputs would all be zero."
# status = "any"
# most = 2
# ///

import numpy as np

np.random.normal = np.random.rand = np.random.randn = lambda *a, **k: np.zeros((3, 5))
np.random.default_rng = lambda *a: None
np.random.seed(0)


def softmax(x, axis=-1):
    return np.full(x.shape, 1 / x.shape[axis])
