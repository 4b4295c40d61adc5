"""Judges the five comparisons, and `compare_sentences`, which sends two sentences through one
and the same object. Ties are never asked for.
"""

import numpy as np

from autograder import expect
from autograder.check import needs, points, robustness, visible
from autograder.student import Remote, Trouble

COMPARISONS = ("difference", "entropy", "divergence", "agreement", "distance")


def two_tables(rng, n=5):
    """Draw two tables of weights; each row sums to 1, none of them is 0."""
    return rng.dirichlet([2.0] * n, size=n), rng.dirichlet([2.0] * n, size=n)


@visible
@points(1)
def test_difference(student, reference, rng):
    """attention_difference is A minus B, cell by cell"""
    A, B = two_tables(rng)
    got = student.attention_difference(A, B)
    expect.close(got, reference.attention_difference(A, B), "difference", tol=expect.COMPARE_TOL)


@visible
@points(1)
def test_entropy(student, reference, rng):
    """row_entropy gives one number a row, in nats"""
    A, _ = two_tables(rng)
    got = student.row_entropy(A)
    expect.close(got, reference.row_entropy(A), "entropy", tol=expect.COMPARE_TOL)


@visible
@points(1)
def test_divergence(student, reference, rng):
    """js_divergence gives one number a row, in nats"""
    A, B = two_tables(rng)
    got = student.js_divergence(A, B)
    expect.close(got, reference.js_divergence(A, B), "divergence", tol=expect.COMPARE_TOL)


@needs("entropy", "divergence")
@points(1)
def test_weights_of_zero(student, reference, rng):
    """A weight of 0 adds nothing to entropy and divergence"""
    closed = np.tri(5, dtype=bool)
    A, B = (np.where(closed, rng.uniform(0.5, 1.5, size=(5, 5)), 0.0) for _ in range(2))
    A, B = A / A.sum(axis=1, keepdims=True), B / B.sum(axis=1, keepdims=True)
    got = student.row_entropy(A)
    expect.close(got, reference.row_entropy(A), "entropy", tol=expect.COMPARE_TOL)
    B = B[:, ::-1]  # some places are 0 in one of the two only
    got = student.js_divergence(A, B)
    expect.close(got, reference.js_divergence(A, B), "divergence", tol=expect.COMPARE_TOL)


@points(1)
def test_agreement(student, reference, rng):
    """argmax_agreement is the share of rows with their largest weight in the same column"""
    pairs = _telling_tables(rng)
    answers = [student.argmax_agreement(A, B) for A, B in pairs]  # all, before one is judged
    for got, (A, B) in zip(answers, pairs, strict=True):
        expect.number(got, reference.argmax_agreement(A, B), "agreement")


def _telling_tables(rng):
    """Draw three pairs of tables, until no other way to compare them gives the same shares."""
    while True:
        pairs = []
        for n in (4, 5, 7):
            ranks = np.tile(np.arange(1.0, n + 1), (n, 1))
            A, B = rng.permuted(ranks, axis=1), rng.permuted(ranks, axis=1)
            pairs.append((A / A[0].sum(), B / B[0].sum()))
        shares = [_shares(A, B) for A, B in pairs]
        distinct = set(zip(*shares, strict=True))
        if len(distinct) == len(shares[0]) and all(0 < each[0] < 1 for each in shares):
            return pairs


def _shares(A, B):
    """Give the share of rows that agree, then what other comparisons would give."""
    agree = A.argmax(axis=-1) == B.argmax(axis=-1)
    flat_A, flat_B = (each.reshape(*each.shape[:-2], -1) for each in (A, B))
    return (
        agree.mean(axis=-1),
        1 - agree.mean(axis=-1),
        (A.argmax(axis=-2) == B.argmax(axis=-2)).mean(axis=-1),
        (A.argmin(axis=-1) == B.argmin(axis=-1)).mean(axis=-1),
        agree.all(axis=-1) * 1.0,
        (flat_A.argmax(axis=-1) == flat_B.argmax(axis=-1)) * 1.0,
        (A.max(axis=-1) == B.max(axis=-1)).mean(axis=-1),
        (flat_A == flat_B).mean(axis=-1),
    )


@points(1)
def test_distance(student, reference, rng):
    """frobenius_distance is the root of the sum of all squared differences"""
    A, B = two_tables(rng)
    got = student.frobenius_distance(A, B)
    expect.number(got, reference.frobenius_distance(A, B), "distance")


def made(student, *given):
    """Make a SelfAttention; expect that it is an object."""
    found = student.SelfAttention(*given)
    expect.that(isinstance(found, Remote), "C-NOT-OBJECT", name="SelfAttention")
    return found


def equipped(student, weights):
    """Make a SelfAttention and give it these W_q, W_k and W_v."""
    W_q, W_k, W_v = weights
    attention = made(student, *W_q.shape, W_v.shape[1])
    attention.W_q, attention.W_k, attention.W_v = W_q, W_k, W_v
    return attention


def two_sentences(rng, n=5, d_model=6, d_k=4, d_v=3):
    """Draw the weights of an object, and two sentences of n tokens with clear favourites."""
    X_a, X_b = rng.normal(size=(n, d_model)), rng.normal(size=(n, d_model))
    weights = tuple(rng.normal(size=(d_model, d)) / np.sqrt(d_model) for d in (d_k, d_k, d_v))
    return weights, X_a, X_b


@visible
@points(1)
def test_both_weights(student, reference, rng):
    """compare_sentences gives the weights of both sentences, from the object it was given"""
    weights, X_a, X_b = two_sentences(rng)
    got = student.compare_sentences(equipped(student, weights), X_a, X_b)
    found = expect.mapping(got, ("weights_a", "weights_b"))
    want = reference.compare_sentences(equipped(reference, weights), X_a, X_b)
    expect.close(found["weights_a"], want["weights_a"], "weights_a")
    second = expect.numbers(found["weights_b"], (5, 5), "weights_b")
    others, _, _ = two_sentences(rng)
    got = student.compare_sentences(equipped(student, others), X_a, X_b)
    moved = expect.numbers(expect.mapping(got, ("weights_b",))["weights_b"], (5, 5), "weights_b")
    expect.that(not np.allclose(moved, second), "CMP-NEW-OBJ")
    expect.close(second, want["weights_b"], "weights_b")


@needs("both_weights", *COMPARISONS)
@points(1)
def test_all_comparisons(student, reference, rng):
    """compare_sentences gives all eight results under their names"""
    weights, X_a, X_b = _clear(rng)
    got = student.compare_sentences(equipped(student, weights), X_a, X_b)
    want = reference.compare_sentences(equipped(reference, weights), X_a, X_b)
    found = expect.mapping(got, tuple(want))
    for key in want:
        expect.close(found[key], want[key], key)  # the weights may come from float32


def _clear(rng):
    """Draw sentences without near ties, whose agreement looks like nothing else."""
    while True:
        weights, *_ = two_sentences(rng)
        X = rng.normal(size=(64, 5, 6))
        scores = (X @ weights[0]) @ np.swapaxes(X @ weights[1], -1, -2) / 2.0  # sqrt(d_k)
        tables = scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
        gaps = np.diff(np.sort(tables, axis=-1))[..., -1].min(axis=-1)
        shares = np.stack(_shares(tables[:-1], tables[1:])[:4])
        apart = np.diff(np.sort(shares, axis=0), axis=0).min(axis=0) > 0.1
        some = ((shares > 0) & (shares < 1)).all(axis=0)
        found = np.flatnonzero(apart & some & (np.minimum(gaps[:-1], gaps[1:]) > 1e-2))
        if len(found):
            return weights, X[found[0]], X[found[0] + 1]


@needs("both_weights")
@points(1)
def test_same_object(student, reference, rng):
    """The object serves again afterwards: its weights are unchanged, the numbers too"""
    weights, X_a, X_b = two_sentences(rng)
    attention = equipped(student, weights)
    student.compare_sentences(attention, X_a, X_b)
    for name, set_before in zip(("W_q", "W_k", "W_v"), weights, strict=True):
        expect.close(getattr(attention, name), set_before, name, code="CMP-NEW-OBJ")
    found = expect.mapping(
        student.compare_sentences(attention, X_b, X_a), ("weights_a", "weights_b")
    )
    want = reference.compare_sentences(equipped(reference, weights), X_b, X_a)
    for key in ("weights_a", "weights_b"):
        expect.close(found[key], want[key], key)


@needs("both_weights")
@points(0.5)
def test_lengths_that_differ(student, reference, rng):
    """Two sentences of different length raise a ValueError"""
    X_a, X_b = rng.normal(size=(5, 6)), rng.normal(size=(4, 6))
    attention = made(student, 6, 4, 3)
    try:
        student.compare_sentences(attention, X_a, X_b)
    except Trouble as trouble:
        if trouble.kind != "raised":
            raise
        expect.that(trouble.detail == "ValueError", "CMP-LENGTHS")
    else:
        raise expect.Unmet("CMP-LENGTHS")


@robustness("C-MUTATE")
@needs("difference", "entropy", "divergence", "both_weights")
@points(0.5)
def test_leaves_the_inputs_alone(student, reference, rng):
    """The caller's tables and sentences are unchanged afterwards"""
    A, B = two_tables(rng)
    for name in ("attention_difference", "js_divergence", "argmax_agreement", "frobenius_distance"):
        getattr(student, name)(A, B)
        expect.unchanged(student.last.changed, ("A", "B"))
    student.row_entropy(A)
    expect.unchanged(student.last.changed, ("A",))
    X_a, X_b = rng.normal(size=(5, 6)), rng.normal(size=(5, 6))
    student.compare_sentences(made(student, 6, 4, 3), X_a, X_b)
    expect.unchanged(student.last.changed, ("attention", "X_a", "X_b"))
