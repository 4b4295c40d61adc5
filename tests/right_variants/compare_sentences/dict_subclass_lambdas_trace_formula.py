"""Dict subclass, lambdas, trace formula, spence."""

import numpy as np


def attention_difference(A, B):
    return np.asarray(A, float) + -1 * np.asarray(B, float)


def row_entropy(A):
    def h(row):
        p = row[row > 0]
        return float(np.dot(p, np.log(1 / p)))

    return np.apply_along_axis(h, 1, np.asarray(A, float))


def js_divergence(A, B):
    return row_entropy(np.mean([np.asarray(A, float), np.asarray(B, float)], axis=0)) - np.mean(
        [row_entropy(A), row_entropy(B)], axis=0
    )


def argmax_agreement(A, B):
    return np.equal(np.asarray(A).argmax(1), np.asarray(B).argmax(1)).mean()


def frobenius_distance(A, B):
    return np.sqrt(np.trace(attention_difference(A, B).T @ attention_difference(A, B)))


NAMES = "weights_a weights_b difference entropy_a entropy_b divergence agreement distance"


class Report(dict):
    pass


def compare_sentences(attention, X_a, X_b):
    assert_equal = len(X_a) == len(X_b)
    if not assert_equal:
        raise ValueError
    A = np.array(attention.forward(X_a)[1])
    B = np.array(attention.forward(X_b)[1])
    return Report(
        zip(
            NAMES.split(),
            (
                A,
                B,
                attention_difference(A, B),
                row_entropy(A),
                row_entropy(B),
                js_divergence(A, B),
                argmax_agreement(A, B),
                frobenius_distance(A, B),
            ),
            strict=False,
        )
    )
