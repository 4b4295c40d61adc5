"""Recursion over sentences, list of per-head tables for one sentence."""

import numpy as np

from heads import split_heads
from masked_attention import masked_attention
from project_qkv import project_qkv


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    X = np.asarray(X, dtype=float)
    if X.ndim > 2:
        parts = [multi_head_attention(x, W_q, W_k, W_v, W_o, n_heads, mask) for x in X]
        return np.array([p[0] for p in parts]), np.array([p[1] for p in parts])
    H = [split_heads(A, n_heads) for A in project_qkv(X, W_q, W_k, W_v)]
    results = [masked_attention(q, k, v, mask) for q, k, v in zip(*H, strict=False)]
    return np.hstack([r[0] for r in results]) @ np.asarray(W_o), [r[1] for r in results]
