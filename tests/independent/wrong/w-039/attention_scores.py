import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q, float), np.asarray(K, float)
    gap = Q[..., :, None, :] - K[..., None, :, :]
    return -np.sqrt((gap ** 2).sum(-1)) / np.sqrt(K.shape[-1])
