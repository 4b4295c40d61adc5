"""RandomState, base class, slots."""

import numpy as np

from scaled_dot_product_attention import scaled_dot_product_attention


class Module:
    __slots__ = ()

    def __call__(self, *a):
        return self.forward(*a)


class SelfAttention(Module):
    __slots__ = ("W_k", "W_q", "W_v")

    def __init__(self, d_model, d_k, d_v, seed=42):
        rs = np.random.RandomState(seed)
        for name, d in zip(self.__slots__, (d_k, d_k, d_v), strict=False):
            setattr(self, name, rs.randn(d_model, d) * np.sqrt(2.0 / (d_model + d)))

    def forward(self, X):
        X = np.asarray(X, float)
        if X.shape[-1] != self.W_q.shape[0]:
            raise ValueError("d_model")
        return scaled_dot_product_attention(X @ self.W_q, X @ self.W_k, X @ self.W_v)
