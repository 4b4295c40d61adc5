"""Three generators spawned from one seed."""

import numpy as np

from scaled_dot_product_attention import scaled_dot_product_attention


def xavier(seed, d_in, d_out):
    return np.random.default_rng(seed).standard_normal((d_in, d_out)) * np.sqrt(2 / (d_in + d_out))


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        q, k, v = np.random.SeedSequence(seed).spawn(3)
        self.W_q = xavier(q, d_model, d_k)
        self.W_k = xavier(k, d_model, d_k)
        self.W_v = xavier(v, d_model, d_v)

    def forward(self, X):
        X = np.asarray(X)
        return scaled_dot_product_attention(X @ self.W_q, X @ self.W_k, X @ self.W_v)
