import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q), np.asarray(K)
    return Q @ K.swapaxes(-1, -2) / int(np.sqrt(K.shape[-1]))
