import math
import numpy as np
from project_qkv import project_qkv
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        rng = np.random.default_rng()
        self.W_q = rng.normal(0, np.sqrt(2 / (d_model + d_k)), (d_model, d_k))
        self.W_k = rng.normal(0, np.sqrt(2 / (d_model + d_k)), (d_model, d_k))
        self.W_v = rng.normal(0, np.sqrt(2 / (d_model + d_v)), (d_model, d_v))
    def forward(self, X):
        return scaled_dot_product_attention(*project_qkv(X, self.W_q, self.W_k, self.W_v))
