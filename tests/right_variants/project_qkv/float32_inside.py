"""float32 inside and out."""

import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    X = X.astype(np.float32)
    return tuple(np.matmul(X, W.astype("f4")) for W in (W_q, W_k, W_v))
