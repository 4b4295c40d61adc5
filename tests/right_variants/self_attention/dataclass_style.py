"""A dataclass with a seed; a list as result."""

from dataclasses import dataclass

import numpy as np

from project_qkv import project_qkv
from scaled_dot_product_attention import scaled_dot_product_attention


@dataclass
class SelfAttention:
    d_model: int
    d_k: int
    d_v: int
    seed: int = 42

    def __post_init__(self):
        rng = np.random.default_rng(self.seed)
        for name, d in (("W_q", self.d_k), ("W_k", self.d_k), ("W_v", self.d_v)):
            spread = np.sqrt(2 / (self.d_model + d))
            setattr(self, name, spread * rng.standard_normal((self.d_model, d)))

    def forward(self, X):
        Q, K, V = project_qkv(X, W_q=self.W_q, W_k=self.W_k, W_v=self.W_v)
        return list(scaled_dot_product_attention(Q, K, V))
