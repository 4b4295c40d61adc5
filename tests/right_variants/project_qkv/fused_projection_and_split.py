"""Fused projection and split."""

import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    W = np.concatenate([W_q, W_k, W_v], axis=1).astype(float)
    d_k = np.shape(W_q)[1]
    return np.split(np.asarray(X, float) @ W, [d_k, 2 * d_k], axis=-1)
