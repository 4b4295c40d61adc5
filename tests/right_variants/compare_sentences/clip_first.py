"""Clips before the logarithm; singular values for the distance."""

import numpy as np


def attention_difference(A, B):
    return np.asarray(A) - np.asarray(B)


def row_entropy(A):
    A = np.asarray(A, dtype=float)
    return -np.einsum("ij,ij->i", A, np.log(np.clip(A, 1e-12, 1.0)))


def js_divergence(A, B):
    A, B = np.asarray(A, dtype=float), np.asarray(B, dtype=float)
    pairs = [row_entropy(A), row_entropy(B)]
    return row_entropy((A + B) / 2.0) - sum(pairs) / len(pairs)


def argmax_agreement(A, B):
    hits = [int(np.argmax(a)) == int(np.argmax(b)) for a, b in zip(A, B, strict=True)]
    return np.array(hits).mean()


def frobenius_distance(A, B):
    return np.sqrt((np.linalg.svd(A - B, compute_uv=False) ** 2).sum())


def compare_sentences(attention, X_a, X_b):
    weights = []
    for X in (X_a, X_b):
        _, found = attention.forward(X)
        weights.append(found)
    A, B = weights
    if A.shape != B.shape:
        raise ValueError("two sentences of one length, please")
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
