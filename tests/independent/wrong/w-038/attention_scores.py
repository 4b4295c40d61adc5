import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q, float), np.asarray(K, float)
    *lead, n_k, d_k = K.shape
    return Q @ K.reshape(*lead, d_k, n_k) / np.sqrt(d_k)
