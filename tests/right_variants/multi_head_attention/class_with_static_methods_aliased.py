"""Class with static methods, aliased."""

import numpy as np

from heads import concat_heads, split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


class MHA:
    @staticmethod
    def cut(A, h):
        return split_heads(A, h)

    @classmethod
    def run(cls, X, W_q, W_k, W_v, W_o, n_heads, mask=None, *, dropout=0.0, training=False):
        Q, K, V = (cls.cut(A, n_heads) for A in project_qkv(X, W_q, W_k, W_v))
        heads, weights = masked_attention(Q, K, V, mask)
        return concat_heads(heads) @ np.asarray(W_o, float), weights


multi_head_attention = MHA.run
