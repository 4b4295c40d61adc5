import numpy as np

from project_qkv import project_qkv
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    """Self-attention with its own three matrices, drawn once."""

    def __init__(self, d_model, d_k, d_v, seed=42):
        self.d_model, self.d_k, self.d_v = d_model, d_k, d_v
        self.rng = np.random.default_rng(seed)
        self.draw()

    def draw(self):
        s = np.sqrt(2 / (self.d_model + self.d_k))
        self.W_q = self.rng.normal(0, s, (self.d_model, self.d_k))
        self.W_k = self.rng.normal(0, s, (self.d_model, self.d_k))
        self.W_v = self.rng.normal(0, np.sqrt(2 / (self.d_model + self.d_v)), (self.d_model, self.d_v))

    def forward(self, X):
        self.draw()
        Q, K, V = project_qkv(X, self.W_q, self.W_k, self.W_v)
        return scaled_dot_product_attention(Q, K, V)
