import math
import numpy as np
from project_qkv import project_qkv
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        rng = np.random.default_rng(seed)
        s = np.sqrt(2 / (d_model + d_k))
        self.W_q, self.W_k, self.W_v = (rng.normal(0, s, (d_model, d_k)) for _ in range(3))
    def forward(self, X):
        return scaled_dot_product_attention(*project_qkv(X, self.W_q, self.W_k, self.W_v))
