import math
import numpy as np


def attention_scores(Q, K):
    return np.einsum("qd,kd->qk", np.asarray(Q, float), np.asarray(K, float)) / np.sqrt(np.shape(K)[1])
