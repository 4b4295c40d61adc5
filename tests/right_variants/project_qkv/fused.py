"""One product with the matrices side by side, then views of its columns."""

import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    everything = X @ np.concatenate([W_q, W_k, W_v], axis=1)
    d_k = W_q.shape[1]
    return everything[..., :d_k], everything[..., d_k : 2 * d_k], everything[..., 2 * d_k :]
