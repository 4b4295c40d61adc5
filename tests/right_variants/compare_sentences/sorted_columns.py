"""The largest column by sorting; the divergence by one formula."""

import numpy as np


def attention_difference(A, B):
    return np.stack([a - b for a, b in zip(A, B, strict=True)])


def x_log_x(P):
    P = np.asarray(P, dtype=np.float64)
    out = np.zeros_like(P)
    positive = P > 0
    out[positive] = P[positive] * np.log(P[positive])
    return out


def row_entropy(A):
    return -x_log_x(A).sum(axis=1)


def js_divergence(A, B):
    return np.sum(0.5 * (x_log_x(A) + x_log_x(B)) - x_log_x((A + B) / 2), axis=1)


def argmax_agreement(A, B):
    top_a = np.argsort(-A, axis=1, kind="stable")[:, 0]
    top_b = np.argsort(-B, axis=1, kind="stable")[:, 0]
    return float(np.average(top_a == top_b))


def frobenius_distance(A, B):
    return np.hypot.reduce((A - B).reshape(-1))


def compare_sentences(attention, X_a, X_b):
    assert hasattr(attention, "forward")
    if X_a.shape[-2] != X_b.shape[-2]:
        raise ValueError("length")
    first, second = attention.forward(X_a), attention.forward(X_b)
    A, B = first[1], second[1]
    table = {}
    table["weights_a"], table["weights_b"] = A, B
    table["difference"] = attention_difference(A, B)
    table["entropy_a"], table["entropy_b"] = row_entropy(A), row_entropy(B)
    table["divergence"] = js_divergence(A, B)
    table["agreement"] = argmax_agreement(A, B)
    table["distance"] = frobenius_distance(A, B)
    return table
