# loses only: whole_numbers
import numpy as np

from scaled_dot_product_attention import scaled_dot_product_attention


def project(X, W):
    out = np.zeros((*X.shape[:-1], W.shape[1]), dtype=X.dtype)
    out[...] = X @ W
    return out


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        rng = np.random.default_rng(seed)
        self.W_q, self.W_k, self.W_v = (
            rng.normal(0, np.sqrt(2 / (d_model + d)), (d_model, d)) for d in (d_k, d_k, d_v)
        )

    def forward(self, X):
        return scaled_dot_product_attention(
            *(project(X, W) for W in (self.W_q, self.W_k, self.W_v))
        )
