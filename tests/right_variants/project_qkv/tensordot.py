"""np.tensordot over the model axis."""

import numpy as np


def project_qkv(X, W_q, W_k, W_v, bias=0.0):
    Q, K, V = [np.tensordot(X, W, axes=([-1], [0])) + bias for W in (W_q, W_k, W_v)]
    return Q, K, V
