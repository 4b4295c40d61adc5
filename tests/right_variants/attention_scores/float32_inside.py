"""float32 inside and out."""

import numpy as np


def attention_scores(Q, K):
    Q = np.asarray(Q, dtype=np.float32)
    K = np.asarray(K, dtype=np.float32)
    axes = (*range(K.ndim - 2), K.ndim - 1, K.ndim - 2)
    return Q @ K.transpose(axes) / np.float32(np.sqrt(Q.shape[-1]))
