# loses only: large_scores
import numpy as np


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        rng = np.random.default_rng(seed)
        self.W_q, self.W_k, self.W_v = (
            rng.normal(0, np.sqrt(2 / (d_model + d)), (d_model, d)) for d in (d_k, d_k, d_v)
        )

    def forward(self, X):
        Q, K, V = X @ self.W_q, X @ self.W_k, X @ self.W_v
        e = np.exp(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))
        w = e / e.sum(axis=-1, keepdims=True)
        return w @ V, w
