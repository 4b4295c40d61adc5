import numpy as np


def attention_difference(A, B):
    """Subtract two tables of weights, cell by cell."""
    return np.asarray(A) - np.asarray(B)


def row_entropy(A):
    """Measure how widely each row spreads its weight."""
    A = np.asarray(A, dtype=float)
    logs = np.log(np.where(A > 0, A, 1))
    return -(A * logs).sum(axis=-1)


def js_divergence(A, B):
    """Measure row by row how far apart two tables of weights are."""
    M = (np.asarray(A) + np.asarray(B)) / 2
    return row_entropy(M) - (row_entropy(A) + row_entropy(B)) / 2


def argmax_agreement(A, B):
    """Give the share of rows whose largest weight sits in the same column."""
    return np.mean(np.argmax(A, axis=-1) == np.argmax(B, axis=-1))


def frobenius_distance(A, B):
    """Give one number for how far apart two tables are."""
    return np.sqrt(np.sum(attention_difference(A, B) ** 2))


def compare_sentences(attention, X_a, X_b):
    """Send two sentences of equal length through the same attention, and compare."""
    if len(X_a) != len(X_b):
        raise ValueError("the two sentences must have the same length")
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
