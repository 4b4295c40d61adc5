"""Namedtuple result."""

from collections import namedtuple

import numpy as np

from attention_scores import attention_scores
from softmax import softmax

Result = namedtuple("Result", "output weights")


def scaled_dot_product_attention(Q, K, V):
    w = softmax(attention_scores(Q, K))
    return Result(output=np.matmul(w, np.asarray(V, float)), weights=w)
