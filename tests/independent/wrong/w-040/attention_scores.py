import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q, float), np.asarray(K, float)
    root = np.sqrt(K.shape[-1])
    return (Q / root) @ np.swapaxes(K / root, -1, -2)
