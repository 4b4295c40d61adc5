"""The divergence as the mean of two one-sided ones; einsum for the sums."""

import numpy as np


def attention_difference(A, B, absolute=False):
    return np.abs(A - B) if absolute else A - B


def kl(P, M):
    ratio = np.ones_like(M, dtype=float)
    np.divide(P, M, out=ratio, where=(P > 0) & (M > 0))
    return np.einsum("ij,ij->i", P, np.log(ratio))


def row_entropy(A):
    n = A.shape[-1]
    return np.log(n) - kl(A, np.full(A.shape, 1 / n))


def js_divergence(A, B):
    M = (A + B) / 2
    return (kl(A, M) + kl(B, M)) / 2


def argmax_agreement(A, B):
    return 1 - np.mean(np.not_equal(np.argmax(A, axis=1), np.argmax(B, axis=1)))


def frobenius_distance(A, B):
    return float(np.einsum("ij,ij->", A - B, A - B)) ** 0.5


def compare_sentences(attention, X_a, X_b):
    if np.shape(X_a) != np.shape(X_b):
        raise ValueError("shapes differ")
    (_, A), (_, B) = attention.forward(X_a), attention.forward(X_b)
    print("compared", A.shape)
    return {
        "distance": frobenius_distance(A, B),
        "agreement": argmax_agreement(A, B),
        "divergence": js_divergence(A, B),
        "entropy_b": row_entropy(B),
        "entropy_a": row_entropy(A),
        "difference": attention_difference(A, B),
        "weights_b": B,
        "weights_a": A,
        "outputs": None,
    }
