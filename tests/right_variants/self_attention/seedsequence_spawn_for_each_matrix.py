"""SeedSequence spawn for each matrix, extra keyword options, list result."""

import numpy as np

from project_qkv import project_qkv
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42, *, scale=None, name="attention"):
        rngs = [
            np.random.Generator(np.random.PCG64(s)) for s in np.random.SeedSequence(seed).spawn(3)
        ]

        def glorot(rng, m, n):
            return rng.standard_normal((m, n)) * (2 / (m + n)) ** 0.5

        self.W_q = glorot(rngs[0], d_model, d_k)
        self.W_k = glorot(rngs[1], d_model, d_k)
        self.W_v = glorot(rngs[2], d_model, d_v)
        self.name, self.last = name, None

    def forward(self, X):
        self.last = scaled_dot_product_attention(*project_qkv(X, self.W_q, self.W_k, self.W_v))
        return list(self.last)
