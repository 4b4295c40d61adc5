"""Judges `causal_mask`: who may look at whom. Numbers 0 and 1 lose the last check only."""

from autograder import expect
from autograder.check import needs, points, robustness, visible


@visible
@points(1)
def test_shape(student, reference, rng):
    """Five tokens give a table of 5 by 5"""
    expect.array(student.causal_mask(5), (5, 5), "mask")


@visible
@points(3)
def test_past_and_present(student, reference, rng):
    """Each token may look at itself and at earlier ones, and at no later one"""
    got = student.causal_mask(5)
    expect.close(got, reference.causal_mask(5), "mask")


@points(1)
def test_other_lengths(student, reference, rng):
    """One token, two tokens and nine have their masks too"""
    for n in (1, 2, 9):
        got = student.causal_mask(n)
        expect.close(got, reference.causal_mask(n), "mask")


@robustness("CAUSAL-DTYPE")
@needs("past_and_present")
@points(1)
def test_true_or_false(student, reference, rng):
    """Every entry is True or False"""
    mask = expect.array(student.causal_mask(4), (4, 4), "mask")
    expect.that(mask.dtype.kind == "b", "CAUSAL-DTYPE")
