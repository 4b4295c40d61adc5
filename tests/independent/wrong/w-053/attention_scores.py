import math
import numpy as np


def attention_scores(Q, K):
    n_q, n_k = len(Q), len(K)
    S = np.zeros((n_q, n_k))
    for i in range(n_q):
        for j in range(n_k):
            S[i][j] = np.dot(Q[i], K[j]) / math.sqrt(n_k)
    return S
