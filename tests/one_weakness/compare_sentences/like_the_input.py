# loses only: whole_numbers
import numpy as np


def attention_difference(A, B):
    return A - B


def row_entropy(A):
    return -(A * np.log(np.where(A > 0, A, 1.0))).sum(axis=1)


def js_divergence(A, B):
    middle = np.zeros_like(A)
    middle[...] = (A + B) / 2
    return row_entropy(middle) - (row_entropy(A) + row_entropy(B)) / 2


def argmax_agreement(A, B):
    return float(np.mean(A.argmax(axis=1) == B.argmax(axis=1)))


def frobenius_distance(A, B):
    return np.linalg.norm(A - B)


def compare_sentences(attention, X_a, X_b):
    if len(X_a) != len(X_b):
        raise ValueError("length")
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
        "distance": frobenius_distance(A.copy(), B),
    }
