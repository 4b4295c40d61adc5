import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q, float), np.asarray(K, float)
    d_k = Q.shape[0]
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)
