import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q, float), np.asarray(K, float)
    return np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(K.shape[-2])
