import numpy as np


def project_qkv(X, W_q, W_k, W_v):
    """Give each token its query, its key and its value."""
    # all three in one go, then cut apart
    W = np.concatenate([W_q, W_k, W_v], axis=1).astype(float)
    QKV = np.einsum("...nd,de->...ne", X, W)
    d_k = np.shape(W_q)[1]
    return QKV[..., :d_k], QKV[..., d_k : 2 * d_k], QKV[..., 2 * d_k :]
