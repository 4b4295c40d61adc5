"""np.where guards the logarithm."""

import numpy as np


def attention_difference(A, B):
    return A - B


def row_entropy(A):
    safe = np.where(A > 0, A, 1.0)
    return -(A * np.log(safe)).sum(axis=-1)


def js_divergence(A, B):
    return row_entropy((A + B) / 2) - (row_entropy(A) + row_entropy(B)) / 2


def argmax_agreement(A, B):
    return np.mean(A.argmax(axis=-1) == B.argmax(axis=-1))


def frobenius_distance(A, B):
    return np.sqrt(((A - B) ** 2).sum())


def compare_sentences(attention, X_a, X_b):
    if len(X_a) != len(X_b):
        raise ValueError("the sentences differ in length")
    weights_a = attention.forward(X_a)[1]
    weights_b = attention.forward(X_b)[1]
    return {
        "weights_a": weights_a,
        "weights_b": weights_b,
        "difference": attention_difference(weights_a, weights_b),
        "entropy_a": row_entropy(weights_a),
        "entropy_b": row_entropy(weights_b),
        "divergence": js_divergence(weights_a, weights_b),
        "agreement": argmax_agreement(weights_a, weights_b),
        "distance": frobenius_distance(weights_a, weights_b),
    }
