import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.array(Q), np.array(K)
    return Q.dot(K.T) / Q.shape[1]
