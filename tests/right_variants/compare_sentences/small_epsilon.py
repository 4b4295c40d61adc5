"""A small epsilon in the logarithm, kwargs to dict()."""

import numpy as np

EPS = 1e-10


def attention_difference(A, B):
    return np.subtract(A, B)


def row_entropy(A):
    return -np.sum(A * np.log(A + EPS), axis=1)


def js_divergence(A, B):
    M = 0.5 * (A + B)
    left = np.sum(A * (np.log(A + EPS) - np.log(M + EPS)), axis=1)
    right = np.sum(B * (np.log(B + EPS) - np.log(M + EPS)), axis=1)
    return 0.5 * left + 0.5 * right


def argmax_agreement(A, B):
    return float((np.argmax(A, axis=1) == np.argmax(B, axis=1)).mean())


def frobenius_distance(A, B):
    return np.linalg.norm(A - B)


def compare_sentences(attention, X_a, X_b):
    if X_a.shape[0] != X_b.shape[0]:
        raise ValueError("lengths")
    _, A = attention.forward(X_a)
    _, B = attention.forward(X_b)
    return {
        "weights_a": A,
        "weights_b": B,
        "difference": attention_difference(A, B),
        "entropy_a": row_entropy(A),
        "entropy_b": row_entropy(B),
        "divergence": js_divergence(A, B),
        "agreement": argmax_agreement(A, B),
        "distance": frobenius_distance(A, B),
    }
