"""float32 in forward."""

import numpy as np

from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        rng = np.random.default_rng(seed)
        self.W_q, self.W_k, self.W_v = [
            (rng.standard_normal((d_model, d)) * (2.0 / (d_model + d)) ** 0.5).astype(np.float32)
            for d in (d_k, d_k, d_v)
        ]

    def forward(self, X):
        X = np.asarray(X, dtype=np.float32)
        Q, K, V = (X @ np.asarray(W, dtype=np.float32) for W in (self.W_q, self.W_k, self.W_v))
        return scaled_dot_product_attention(Q, K, V)
