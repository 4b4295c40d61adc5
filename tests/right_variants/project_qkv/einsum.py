"""einsum in a generator that becomes a tuple."""

import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    return tuple(np.einsum("...nd,dk->...nk", X, W) for W in (W_q, W_k, W_v))
