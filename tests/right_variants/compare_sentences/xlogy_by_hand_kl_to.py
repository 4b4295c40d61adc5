"""Xlogy by hand, KL to the mixture."""

import numpy as np


def attention_difference(A, B):
    return np.subtract(A, B, dtype=float)


def _xlogy(x, y):
    out = np.zeros(np.broadcast(x, y).shape)
    np.log(y, out=out, where=np.asarray(x) > 0)
    return x * out


def row_entropy(A):
    A = np.asarray(A, float)
    return -_xlogy(A, A).sum(-1)


def js_divergence(A, B):
    A, B = np.asarray(A, float), np.asarray(B, float)
    M = (A + B) / 2

    def kl(P):
        return (_xlogy(P, P) - _xlogy(P, M)).sum(-1)

    return (kl(A) + kl(B)) / 2


def argmax_agreement(A, B):
    return np.count_nonzero(np.argmax(A, -1) == np.argmax(B, -1)) / len(A)


def frobenius_distance(A, B):
    return np.linalg.norm(attention_difference(A, B), "fro")


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
