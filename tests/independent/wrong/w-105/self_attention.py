import math
import numpy as np
from project_qkv import project_qkv
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        self.sizes = d_model, d_k, d_v
        self.rng = np.random.default_rng(seed)
        self.draw()
    def draw(self):
        m, k, v = self.sizes
        self.W_q = self.rng.normal(0, math.sqrt(2 / (m + k)), (m, k))
        self.W_k = self.rng.normal(0, math.sqrt(2 / (m + k)), (m, k))
        self.W_v = self.rng.normal(0, math.sqrt(2 / (m + v)), (m, v))
    def forward(self, X):
        self.draw()
        return scaled_dot_product_attention(*project_qkv(X, self.W_q, self.W_k, self.W_v))
