"""Three loops for each sentence, the dot product by hand."""

import math

import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q), np.asarray(K)
    lead = Q.shape[:-2]
    out = np.zeros((*lead, Q.shape[-2], K.shape[-2]))
    for place in np.ndindex(*lead):
        for i in range(Q.shape[-2]):
            for j in range(K.shape[-2]):
                total = 0.0
                for c in range(Q.shape[-1]):
                    total += float(Q[place][i, c]) * float(K[place][j, c])
                out[place][i, j] = total / math.sqrt(Q.shape[-1])
    return out
