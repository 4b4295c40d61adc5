"""Row by row; closed keys are left out, not filled."""

import math

import numpy as np


def one(Q, K, V, mask):
    weights = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        seen = [j for j in range(len(K)) if mask[i][j]]
        scores = [float(np.dot(Q[i], K[j])) / math.sqrt(len(K[j])) for j in seen]
        powers = [math.exp(s - max(scores)) for s in scores]
        for j, p in zip(seen, powers, strict=True):
            weights[i, j] = p / sum(powers)
    return np.dot(weights, V), weights


def masked_attention(Q, K, V, mask=None):
    lead, shape = Q.shape[:-2], (Q.shape[-2], K.shape[-2])
    mask = np.broadcast_to(True if mask is None else mask, (*lead, *shape))
    output, weights = np.zeros((*lead, shape[0], V.shape[-1])), np.zeros((*lead, *shape))
    for at in np.ndindex(*lead):
        output[at], weights[at] = one(Q[at], K[at], V[at], mask[at])
    return output, weights
