import math
import numpy as np


def attention_scores(Q, K):
    Q, K = np.asarray(Q), np.asarray(K)
    return np.einsum("...id,...jd->...ij", Q, K) * math.sqrt(Q.shape[-1])
