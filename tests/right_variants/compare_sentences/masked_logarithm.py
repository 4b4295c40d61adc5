"""Logarithms through errstate and nan_to_num; the trace for the distance."""

import numpy as np


def attention_difference(A, B):
    D = np.array(A, dtype=float)
    D -= B
    return D


def row_entropy(A):
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.nan_to_num(A * np.log(A))
    return 0.0 - terms.sum(axis=1)


def js_divergence(A, B):
    value = row_entropy(0.5 * A + 0.5 * B) - 0.5 * row_entropy(A) - 0.5 * row_entropy(B)
    return np.clip(value, 0.0, np.log(2))


def argmax_agreement(A, B):
    return np.equal(A.argmax(1), B.argmax(1)).sum() / A.shape[0]


def frobenius_distance(A, B):
    D = attention_difference(A, B)
    return np.sqrt(np.trace(D @ D.T))


def compare_sentences(attention, X_a, X_b):
    if X_a.shape != X_b.shape:
        raise ValueError(f"{X_a.shape} and {X_b.shape}")
    out_a, out_b = attention.forward(X_a), attention.forward(X_b)
    A, B = np.array(out_a[1]), np.array(out_b[1])
    names = ["difference", "divergence", "agreement", "distance"]
    functions = [attention_difference, js_divergence, argmax_agreement, frobenius_distance]
    result = {name: f(A, B) for name, f in zip(names, functions, strict=True)}
    return result | {
        "weights_a": A,
        "weights_b": B,
        "entropy_a": row_entropy(A),
        "entropy_b": row_entropy(B),
    }
