"""Judges `softmax`: rows of weights first, then the cases that break a good start."""

import numpy as np

from autograder import expect
from autograder.check import needs, points, robustness, visible


@visible
@points(1)
def test_rows_sum_to_one(student, reference, rng):
    """Each row sums to 1"""
    x = rng.normal(size=(3, 5))
    expect.rows_sum_to_one(student.softmax(x), (3, 5))


@visible
@points(2)
def test_values(student, reference, rng):
    """Each weight is right, in a square table and in a wide one"""
    for shape in ((4, 4), (3, 5)):
        x = rng.normal(size=shape)
        got = student.softmax(x)
        expect.close(got, reference.softmax(x), "weights")


@points(1)
def test_other_axis(student, reference, rng):
    """With axis=0 each column sums to 1"""
    x = rng.normal(size=(3, 5))
    got = student.softmax(x, axis=0)
    expect.close(got, reference.softmax(x, axis=0), "weights")


@robustness("SM-TABLE-ONLY")
@points(1)
def test_any_number_of_axes(student, reference, rng):
    """One row alone works, and so does a stack of tables"""
    for shape in ((2, 3, 4), (6,)):  # the stack first: its numbers tell which axis was meant
        x = rng.normal(size=shape)
        got = student.softmax(x)
        expect.close(got, reference.softmax(x), "weights")


@robustness("SM-UNSTABLE")
@needs("values")
@points(1)
def test_large_scores(student, reference, rng):
    """Scores near 1000, and scores 2000 apart, still give weights"""
    near = rng.integers(-2, 3, size=(3, 4)) * 1.0
    tables = (
        near + 100.0,  # large for exp in float32
        near + 300.0,  # large for a sum of scores, not yet for exp
        near + np.array([[1000.0], [-1000.0], [0.0]]),  # whole rows 2000 apart
        np.array([[-1000.0, -1000.0, 1000.0, 998.0], [3.0, 1.0, 2.0, 800.0]]),
    )
    for x in tables:
        got = student.softmax(x)
        expect.close(got, reference.softmax(x), "weights", tol=1e-3, code="SM-UNSTABLE")


@robustness("C-MUTATE")
@needs("values")
@points(1)
def test_leaves_the_input_alone(student, reference, rng):
    """The caller's scores are unchanged afterwards"""
    student.softmax(rng.normal(size=(3, 5)))
    expect.unchanged(student.last.changed, ("x",))


@robustness("C-INT")
@needs("values")
@points(1)
def test_whole_numbers(student, reference, rng):
    """Whole numbers as scores give the same weights as decimals"""
    x = rng.integers(-3, 4, size=(3, 5))
    got = student.softmax(x)
    expect.close(got, reference.softmax(x), "weights")
