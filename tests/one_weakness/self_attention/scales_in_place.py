# loses only: leaves_the_input_alone
import numpy as np

from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        rng = np.random.default_rng(seed)
        self.W_q, self.W_k, self.W_v = (
            rng.normal(0, np.sqrt(2 / (d_model + d)), (d_model, d)) for d in (d_k, d_k, d_v)
        )

    def forward(self, X):
        V, K = X @ self.W_v, X @ self.W_k
        if X.dtype.kind == "i":
            X = X.astype(float)
        X *= 3.0
        return scaled_dot_product_attention(X @ self.W_q / 3.0, K, V)
