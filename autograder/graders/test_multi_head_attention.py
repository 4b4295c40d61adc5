"""Judges `multi_head_attention`: project, split, attend in each head, put together, W_o."""

import numpy as np

from autograder import expect
from autograder.check import needs, points, robustness, visible


def token_vectors(rng, n=5, d_model=12, lead=()):
    """Draw X and four dense square matrices so that scores are of order 1."""
    X = rng.normal(size=(*lead, n, d_model))
    return X, *(rng.normal(size=(d_model, d_model)) / np.sqrt(d_model) for _ in range(4))


def causal():
    """Give the mask of five tokens that look at themselves and back."""
    return np.array([[sign == "1" for sign in f"{row:05b}"] for row in (16, 24, 28, 30, 31)])


def check_both(student, reference, given, shapes, tol=expect.ATOL, code="C-VALUES"):
    """Expect output and weights."""
    output, weights = expect.attention(student.multi_head_attention(*given), *shapes)
    want = reference.multi_head_attention(*given)
    expect.close(weights, want[1], "weights", tol=tol, code=code)
    expect.close(output, want[0], "output", tol=tol, code=code)


@visible
@points(1)
def test_two_results(student, reference, rng):
    """The result is one output, and a table of weights for each head"""
    for n, d_model, n_heads in ((4, 4, 1), (5, 12, 3)):
        got = student.multi_head_attention(*token_vectors(rng, n, d_model), n_heads)
        expect.attention(got, output=(n, d_model), weights=(n_heads, n, n))


@visible
@points(1)
def test_rows_sum_to_one(student, reference, rng):
    """In every head each row of weights sums to 1"""
    got = student.multi_head_attention(*token_vectors(rng), 3)
    _, weights = expect.attention(got, output=(5, 12), weights=(3, 5, 5))
    expect.rows_sum_to_one(weights, (3, 5, 5))


@points(2)
def test_weights(student, reference, rng):
    """Each head's weights are right"""
    for n, d_model, n_heads in ((3, 9, 3), (5, 12, 3), (5, 12, 2)):
        given = (*token_vectors(rng, n, d_model), n_heads)
        got = student.multi_head_attention(*given)
        _, weights = expect.attention(got, output=(n, d_model), weights=(n_heads, n, n))
        _, want = reference.multi_head_attention(*given)
        expect.close(weights, want, "weights")


@points(2)
def test_output(student, reference, rng):
    """The output is right, with several heads, with one, and for a single token"""
    for n, d_model, n_heads in ((6, 6, 3), (5, 12, 3), (5, 12, 1), (1, 12, 3)):
        given = (*token_vectors(rng, n, d_model), n_heads)
        got = student.multi_head_attention(*given)
        output, _ = expect.attention(got, output=(n, d_model), weights=(n_heads, n, n))
        want, _ = reference.multi_head_attention(*given)
        expect.close(output, want, "output")


@visible
@points(2)
def test_mask(student, reference, rng):
    """With a causal mask no head looks ahead, with its mirror image none looks back"""
    for mask in (causal(), causal().T):
        given = (*token_vectors(rng), 3, mask)
        output, weights = expect.attention(student.multi_head_attention(*given), (5, 12), (3, 5, 5))
        leaked = np.abs(expect.numbers(weights, (3, 5, 5), "weights")[:, ~mask]).max()
        expect.that(leaked < expect.CLOSED, "C-CLOSED", w=float(leaked))
        want = reference.multi_head_attention(*given)
        expect.close(weights, want[1], "weights")
        expect.close(output, want[0], "output")


@robustness("SM-UNSTABLE")
@needs("weights", "output")
@points(1)
def test_large_scores(student, reference, rng):
    """Scores beyond 800, above and below zero, still give weights"""
    X, W_q, W_k, W_v, W_o = token_vectors(rng)
    X[:, 0], X[:, 1] = 1.0, [1.0, -1.0, 1.0, -1.0, 1.0]
    for first in (0, 4, 8):  # each head's first column: a score of 900 more or less
        W_q[:, first], W_k[:, first] = 0.0, 0.0
        W_q[1, first], W_k[0, first] = 45.0, 40.0
    given = (X, W_q, W_k, W_v, W_o, 3)
    shapes = ((5, 12), (3, 5, 5))
    check_both(student, reference, given, shapes, tol=1e-2, code="SM-UNSTABLE")


@robustness("C-BATCH")
@needs("weights", "output")
@points(1)
def test_leading_axes(student, reference, rng):
    """Several sentences at once give the results of each alone"""
    given = (*token_vectors(rng, lead=(2, 4)), 3)
    check_both(student, reference, given, ((2, 4, 5, 12), (2, 4, 3, 5, 5)))


@robustness("C-MUTATE")
@needs("weights", "output")
@points(1)
def test_leaves_the_inputs_alone(student, reference, rng):
    """The caller's X, matrices and mask are unchanged afterwards"""
    student.multi_head_attention(*token_vectors(rng), 3, causal())
    names = ("X", "W_q", "W_k", "W_v", "W_o", "n_heads", "mask")
    expect.unchanged(student.last.changed, names)


@robustness("C-INT")
@needs("weights", "output")
@points(1)
def test_whole_numbers(student, reference, rng):
    """Whole numbers in X give the same results as decimals"""
    _, *weights = token_vectors(rng)
    X = rng.integers(-1, 2, size=(5, 12))
    check_both(student, reference, (X, *weights, 3), ((5, 12), (3, 5, 5)))
