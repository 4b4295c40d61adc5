"""Query by query, key by key."""

import math

import numpy as np


def attend(q, K, V):
    scores = [sum(float(a) * float(b) for a, b in zip(q, k, strict=True)) for k in K]
    scores = [s / math.sqrt(len(q)) for s in scores]
    top = max(scores)
    powers = [math.exp(s - top) for s in scores]
    weights = [p / sum(powers) for p in powers]
    output = [
        sum(w * float(v[c]) for w, v in zip(weights, V, strict=True)) for c in range(len(V[0]))
    ]
    return output, weights


def scaled_dot_product_attention(Q, K, V):
    if np.ndim(Q) > 2:
        parts = [scaled_dot_product_attention(*each) for each in zip(Q, K, V, strict=True)]
        return np.array([o for o, _ in parts]), np.array([w for _, w in parts])
    rows = [attend(q, K, V) for q in Q]
    return np.array([o for o, _ in rows]), np.array([w for _, w in rows])
