"""0-d arrays for the numbers, np.errstate and nan_to_num."""

import numpy as np


def row_entropy(A):
    A = np.asarray(A, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(-A * np.log(A)).sum(1)


def argmax_agreement(A, B):
    return np.asarray(np.mean(np.argmax(A, axis=1) == np.argmax(B, axis=1)))


def frobenius_distance(A, B):
    return np.hypot.reduce(np.ravel(np.asarray(A, float) - np.asarray(B, float)))


def attention_difference(A, B):
    return np.asarray(A, dtype=float) - np.asarray(B, dtype=float)


def js_divergence(A, B):
    A, B = np.asarray(A, dtype=float), np.asarray(B, dtype=float)

    def entropy(P):
        return -np.sum(P * np.log(np.where(P > 0, P, 1)), axis=-1)

    return entropy((A + B) / 2) - (entropy(A) + entropy(B)) / 2


def compare_sentences(attention, X_a, X_b):
    if len(X_a) != len(X_b):
        raise ValueError("the sentences differ in length")
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
