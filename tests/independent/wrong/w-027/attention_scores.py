import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q, float), np.asarray(K, float)
    return Q @ np.swapaxes(K, -1, -2) / K.shape[-1]
