"""np.tri."""

import numpy as np


def causal_mask(n, dtype=bool):
    return np.tri(n, dtype=dtype)
