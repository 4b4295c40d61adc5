import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q), np.asarray(K)
    Q /= np.sqrt(Q.shape[-1])
    return Q @ np.swapaxes(K, -1, -2)
