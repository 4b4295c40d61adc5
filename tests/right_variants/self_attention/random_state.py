"""The older RandomState, with its own seed."""

import numpy as np

from attention_scores import attention_scores
from softmax import softmax


class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42, verbose=False):
        draw = np.random.RandomState(seed).randn
        self.verbose = verbose
        self.W_q = draw(d_model, d_k) * (2 / (d_model + d_k)) ** 0.5
        self.W_k = draw(d_model, d_k) * (2 / (d_model + d_k)) ** 0.5
        self.W_v = draw(d_model, d_v) * (2 / (d_model + d_v)) ** 0.5

    def forward(self, X):
        weights = softmax(attention_scores(np.dot(X, self.W_q), np.dot(X, self.W_k)))
        if self.verbose:
            print(weights)
        return np.matmul(weights, np.dot(X, self.W_v)), weights
