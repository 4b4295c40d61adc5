import numpy as np


def js_divergence(A, B):
    return np.abs(row_entropy(A) - row_entropy(B))


def attention_difference(A, B):
    return np.asarray(A, dtype=float) - np.asarray(B, dtype=float)


def row_entropy(A):
    A = np.asarray(A, dtype=float)
    return -np.sum(A * np.log(np.where(A > 0, A, 1)), axis=-1)


def argmax_agreement(A, B):
    return float(np.mean(np.argmax(A, axis=-1) == np.argmax(B, axis=-1)))


def frobenius_distance(A, B):
    return float(np.sqrt(np.sum((np.asarray(A, dtype=float) - np.asarray(B, dtype=float)) ** 2)))


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
