import math
import numpy as np


def attention_scores(Q, K):
    Q = np.asarray(Q, float)
    return Q @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-1])
