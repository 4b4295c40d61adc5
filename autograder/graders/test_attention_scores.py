"""Judges `attention_scores`: dot products of queries and keys, scaled by sqrt(d_k)."""

import numpy as np

from autograder import expect
from autograder.check import needs, points, robustness, visible


@visible
@points(1)
def test_shape(student, reference, rng):
    """Four queries and four keys give a table of 4 by 4"""
    Q, K = rng.normal(size=(4, 7)), rng.normal(size=(4, 7))
    expect.numbers(student.attention_scores(Q, K), (4, 4), "scores")


@visible
@points(1)
def test_small_case(student, reference, rng):
    """The scores of three tokens with four numbers each are right"""
    Q = np.array([[1.0, 0.0, 2.0, 0.0], [0.0, 3.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
    K = np.array([[2.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 5.0], [4.0, 0.0, 0.0, 1.0]])
    got = student.attention_scores(Q, K)
    expect.close(got, reference.attention_scores(Q, K), "scores")


@visible
@points(2)
def test_values(student, reference, rng):
    """Each score is right, for random vectors and for a single token"""
    for n, d_k in ((4, 4), (4, 7), (1, 7)):
        Q, K = rng.normal(size=(n, d_k)), rng.normal(size=(n, d_k))
        got = student.attention_scores(Q, K)
        expect.close(got, reference.attention_scores(Q, K), "scores")


@visible
@robustness("C-SQUARE")
@points(1)
def test_more_keys_than_queries(student, reference, rng):
    """Three queries may look at five keys, and five at three"""
    for n_q, n_k in ((3, 5), (5, 3)):
        Q, K = rng.normal(size=(n_q, 7)), rng.normal(size=(n_k, 7))
        got = student.attention_scores(Q, K)
        expect.close(got, reference.attention_scores(Q, K), "scores")


@robustness("C-BATCH")
@needs("values")
@points(1)
def test_leading_axes(student, reference, rng):
    """Several sentences at once give one table each"""
    Q, K = rng.normal(size=(2, 3, 4, 7)), rng.normal(size=(2, 3, 4, 7))
    got = student.attention_scores(Q, K)
    expect.close(got, reference.attention_scores(Q, K), "scores")


@robustness("C-MUTATE")
@needs("values")
@points(1)
def test_leaves_the_inputs_alone(student, reference, rng):
    """The caller's queries and keys are unchanged afterwards"""
    student.attention_scores(rng.normal(size=(4, 7)), rng.normal(size=(4, 7)))
    expect.unchanged(student.last.changed, ("Q", "K"))


@robustness("C-INT")
@needs("values")
@points(1)
def test_whole_numbers(student, reference, rng):
    """Whole numbers in Q and K give the same scores as decimals"""
    Q, K = rng.integers(-3, 4, size=(4, 7)), rng.integers(-3, 4, size=(4, 7))
    got = student.attention_scores(Q, K)
    expect.close(got, reference.attention_scores(Q, K), "scores")
