"""Static method, alias."""

import math

import numpy as np


class Scorer:
    @staticmethod
    def score(Q, K, /):
        Q, K = map(np.asarray, (Q, K))
        match Q.shape[-1] == K.shape[-1]:
            case False:
                raise ValueError("最后一维必须相同")
            case True:
                return (
                    np.inner(Q, K) / math.sqrt(Q.shape[-1])
                    if Q.ndim == K.ndim == 2
                    else np.matmul(Q, np.moveaxis(K, -1, -2)) / math.sqrt(Q.shape[-1])
                )


attention_scores = Scorer.score
