"""Map over a partial."""

from functools import partial

import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    return tuple(map(partial(np.matmul, np.asarray(X, float)), (W_q, W_k, W_v)))
