"""Uniform draw, dict of matrices with properties."""

import numpy as np

from project_qkv import project_qkv
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        rng = np.random.default_rng(seed)
        self.parameters = {}
        for name, d in (("W_q", d_k), ("W_k", d_k), ("W_v", d_v)):
            bound = (6 / (d_model + d)) ** 0.5
            self.parameters[name] = rng.uniform(-bound, bound, size=(d_model, d))

    def __getattr__(self, name):
        if name in ("W_q", "W_k", "W_v"):
            return self.__dict__["parameters"][name]
        raise AttributeError(name)

    def __setattr__(self, name, value):
        if name in ("W_q", "W_k", "W_v"):
            self.__dict__["parameters"][name] = value
        else:
            super().__setattr__(name, value)

    def forward(self, X):
        p = self.parameters
        return scaled_dot_product_attention(*project_qkv(X, p["W_q"], p["W_k"], p["W_v"]))
