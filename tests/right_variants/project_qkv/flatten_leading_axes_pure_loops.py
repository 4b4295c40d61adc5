"""Flatten leading axes, pure loops."""

import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    X = np.asarray(X, float)
    rows = X.reshape(-1, X.shape[-1])
    out = []
    for W in (W_q, W_k, W_v):
        W = np.asarray(W, float)
        if W.shape[0] != X.shape[-1]:
            raise ValueError("shapes do not fit")
        R = np.empty((rows.shape[0], W.shape[1]))
        for r in range(rows.shape[0]):
            for c in range(W.shape[1]):
                R[r, c] = rows[r] @ W[:, c]
        out.append(R.reshape((*X.shape[:-1], W.shape[1])))
    return out[0], out[1], out[2]
