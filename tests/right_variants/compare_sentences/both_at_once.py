"""Stacks the two sentences and calls forward once."""

import numpy as np


def attention_difference(A, B):
    return A + (-1) * B


def plogp(A):
    return np.multiply(A, np.log(A, where=A > 0, out=np.zeros(np.shape(A))))


def row_entropy(A):
    return -plogp(np.asarray(A, dtype=float)).sum(-1)


def js_divergence(A, B):
    return row_entropy(np.mean([A, B], axis=0)) - np.mean([row_entropy(A), row_entropy(B)], axis=0)


def argmax_agreement(A, B):
    same = np.argmax(A, -1) == np.argmax(B, -1)
    return np.count_nonzero(same) / same.size


def frobenius_distance(A, B):
    gap = (A - B).ravel()
    return np.sqrt(gap @ gap)


def compare_sentences(attention, X_a, X_b):
    _, (A, B) = attention.forward(np.stack([X_a, X_b]))
    entropy_a, entropy_b = row_entropy(np.stack([A, B]))
    return {
        "weights_a": A,
        "weights_b": B,
        "difference": A - B,
        "entropy_a": entropy_a,
        "entropy_b": entropy_b,
        "divergence": js_divergence(A, B),
        "agreement": argmax_agreement(A, B),
        "distance": frobenius_distance(A, B),
    }
