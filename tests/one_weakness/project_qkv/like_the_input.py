# loses only: whole_numbers
import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    made = []
    for W in (W_q, W_k, W_v):
        out = np.zeros((*X.shape[:-1], W.shape[1]), dtype=X.dtype)
        out[...] = X @ W
        made.append(out)
    return made
