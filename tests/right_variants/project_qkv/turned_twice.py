"""Column vectors inside: (W^T X^T)^T, which is the same product."""

import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    print("projecting", np.shape(X))
    columns = np.swapaxes(X, -1, -2)
    return tuple(np.swapaxes(W.T @ columns, -1, -2) for W in (W_q, W_k, W_v))
