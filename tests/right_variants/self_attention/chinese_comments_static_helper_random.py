"""Chinese comments, static helper, random.Random as source."""

import math
import random

import numpy as np

from project_qkv import project_qkv
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    """自注意力：三个矩阵只抽取一次。"""

    @staticmethod
    def _抽取(r, m, n):
        # 标准差 sqrt(2/(m+n))
        return np.array([[r.gauss(0, math.sqrt(2 / (m + n))) for _ in range(n)] for _ in range(m)])

    def __init__(self, d_model, d_k, d_v, seed=42):
        r = random.Random(seed)
        self.W_q = self._抽取(r, d_model, d_k)
        self.W_k = self._抽取(r, d_model, d_k)
        self.W_v = self._抽取(r, d_model, d_v)

    def forward(self, X):
        查询, 键, 值 = project_qkv(X, self.W_q, self.W_k, self.W_v)
        return scaled_dot_product_attention(查询, 键, 值)
