import math
import numpy as np


def attention_scores(Q, K):
    return np.asarray(K, float) @ np.swapaxes(np.asarray(Q, float), -1, -2)
