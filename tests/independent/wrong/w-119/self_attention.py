import math
import numpy as np
from project_qkv import project_qkv
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        np.random.seed(seed)
        self.W_q = np.random.rand(d_model, d_k)
        self.W_k = np.random.rand(d_model, d_k)
        self.W_v = np.random.rand(d_model, d_v)
    def forward(self, X):
        return scaled_dot_product_attention(*project_qkv(X, self.W_q, self.W_k, self.W_v))
