"""Entropy with epsilon 1e-10, lists returned, OrderedDict."""

from collections import OrderedDict

import numpy as np


def attention_difference(A, B):
    return [[a - b for a, b in zip(r, s, strict=False)] for r, s in zip(A, B, strict=False)]


def row_entropy(A):
    A = np.asarray(A, float)
    return (-(A * np.log(A + 1e-12)).sum(axis=1)).tolist()


def js_divergence(A, B):
    M = (np.asarray(A, float) + np.asarray(B, float)) / 2
    return [
        m - (a + b) / 2
        for m, a, b in zip(row_entropy(M), row_entropy(A), row_entropy(B), strict=False)
    ]


def argmax_agreement(A, B):
    same = [list(a).index(max(a)) == list(b).index(max(b)) for a, b in zip(A, B, strict=False)]
    return sum(same) / len(same)


def frobenius_distance(A, B):
    return sum(d * d for row in attention_difference(A, B) for d in row) ** 0.5


def compare_sentences(attention, X_a, X_b):
    if np.shape(X_a)[0] != np.shape(X_b)[0]:
        raise ValueError("sentences of unequal length")
    A, B = (attention.forward(X)[1] for X in (X_a, X_b))
    r = OrderedDict(weights_a=A, weights_b=B)
    r["difference"] = attention_difference(A, B)
    r["entropy_a"], r["entropy_b"] = row_entropy(A), row_entropy(B)
    r["divergence"] = js_divergence(A, B)
    r["agreement"] = argmax_agreement(A, B)
    r["distance"] = frobenius_distance(A, B)
    return r
