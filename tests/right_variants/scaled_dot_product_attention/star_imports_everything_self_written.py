# ruff: noqa: F403, F405
"""Star-imports, everything self-written."""

from math import *

import numpy as np

from softmax import *
from softmax import softmax


def scaled_dot_product_attention(Q, K, V, scale=None, dropout_p=0.0, is_causal=False):
    Q, K, V = [np.asarray(a, np.float64) for a in (Q, K, V)]
    scale = scale or 1 / sqrt(Q.shape[-1])
    w = softmax(np.einsum("...ij,...kj->...ik", Q, K) * scale)
    return np.einsum("...ij,...jk->...ik", w, V), w
