"""Dataclass with post_init."""

import math
from dataclasses import dataclass, field

import numpy as np

from project_qkv import project_qkv
from scaled_dot_product_attention import scaled_dot_product_attention


@dataclass
class SelfAttention:
    d_model: int
    d_k: int
    d_v: int
    seed: int = 42
    W_q: np.ndarray = field(init=False, repr=False)
    W_k: np.ndarray = field(init=False, repr=False)
    W_v: np.ndarray = field(init=False, repr=False)

    def __post_init__(self):
        rng = np.random.default_rng(self.seed)
        self.W_q, self.W_k = rng.normal(
            0, math.sqrt(2 / (self.d_model + self.d_k)), (2, self.d_model, self.d_k)
        )
        self.W_v = rng.normal(0, math.sqrt(2 / (self.d_model + self.d_v)), (self.d_model, self.d_v))

    def forward(self, X):
        return scaled_dot_product_attention(*project_qkv(X, self.W_q, self.W_k, self.W_v))

    __call__ = forward
