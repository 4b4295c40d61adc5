"""Loops and math; lists where arrays are due."""

import math


def attention_difference(A, B):
    return [
        [float(a) - float(b) for a, b in zip(r, s, strict=True)] for r, s in zip(A, B, strict=True)
    ]


def entropy(row):
    return -sum(float(w) * math.log(float(w)) for w in row if w > 0)


def row_entropy(A):
    return [entropy(row) for row in A]


def js_divergence(A, B):
    found = []
    for r, s in zip(A, B, strict=True):
        middle = [(float(a) + float(b)) / 2 for a, b in zip(r, s, strict=True)]
        found.append(entropy(middle) - (entropy(r) + entropy(s)) / 2)
    return found


def largest(row):
    return max(range(len(row)), key=lambda j: float(row[j]))


def argmax_agreement(A, B):
    return sum(largest(r) == largest(s) for r, s in zip(A, B, strict=True)) / len(A)


def frobenius_distance(A, B):
    return math.sqrt(sum(d * d for row in attention_difference(A, B) for d in row))


def compare_sentences(attention, X_a, X_b):
    if len(X_a) != len(X_b):
        raise ValueError("one sentence is longer")
    A, B = (attention.forward(X)[1] for X in (X_a, X_b))
    result = {"weights_a": A, "weights_b": B}
    result["difference"] = attention_difference(A, B)
    result["entropy_a"], result["entropy_b"] = row_entropy(A), row_entropy(B)
    result["divergence"] = js_divergence(A, B)
    result["agreement"] = argmax_agreement(A, B)
    result["distance"] = frobenius_distance(A, B)
    return result
