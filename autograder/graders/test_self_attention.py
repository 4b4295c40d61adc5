"""Judges `SelfAttention`: what is made once, and what happens for each sentence.

The first weights are judged by their properties alone; `forward` on matrices that the check sets.
"""

import numpy as np

from autograder import expect
from autograder.check import needs, points, robustness, visible
from autograder.student import Remote


def made(student, *given):
    """Make a SelfAttention; expect that it is an object."""
    found = student.SelfAttention(*given)
    expect.that(isinstance(found, Remote), "C-NOT-OBJECT", name="SelfAttention")
    return found


def matrices(rng, d_model=6, d_k=4, d_v=3):
    """Draw W_q, W_k and W_v so that scores are of order 1."""
    return tuple(rng.normal(size=(d_model, d)) / np.sqrt(d_model) for d in (d_k, d_k, d_v))


def equipped(student, weights):
    """Make a SelfAttention and give it these weights."""
    W_q, W_k, W_v = weights
    attention = made(student, *W_q.shape, W_v.shape[1])
    attention.W_q, attention.W_k, attention.W_v = W_q, W_k, W_v
    return attention


def check_forward(student, reference, weights, sentences, tol=expect.ATOL, code="C-VALUES"):
    """Expect output and weights of each sentence, from one object."""
    one, other = equipped(student, weights), None
    for X in sentences:
        *lead, n, _ = X.shape
        d_v = weights[2].shape[1]
        output, found = expect.attention(one.forward(X), (*lead, n, d_v), (*lead, n, n))
        other = other or equipped(reference, weights)
        want = other.forward(X)
        expect.close(found, want[1], "weights", tol=tol, code=code)
        expect.close(output, want[0], "output", tol=tol, code=code)


@visible
@points(1)
def test_has_weights(student, reference, rng):
    """A new object has W_q, W_k and W_v of the right shapes"""
    attention = made(student, 6, 4, 3)
    expect.numbers(attention.W_q, (6, 4), "W_q")
    expect.numbers(attention.W_k, (6, 4), "W_k")
    expect.numbers(attention.W_v, (6, 3), "W_v")


@visible
@points(2)
def test_forward(student, reference, rng):
    """forward uses the object's weights as they are now"""
    square = matrices(rng, 3, 3, 3)
    check_forward(student, reference, square, [rng.normal(size=(3, 3))])
    sentences = [rng.normal(size=(5, 6)), rng.normal(size=(1, 6))]
    check_forward(student, reference, matrices(rng), sentences)


@visible
@points(1)
def test_same_sentence_twice(student, reference, rng):
    """The same sentence gives the same numbers again, whatever came between"""
    attention = made(student, 6, 4, 3)
    X, other = rng.normal(size=(5, 6)), rng.normal(size=(4, 6))
    output, weights = expect.attention(attention.forward(X), (5, 3), (5, 5))
    attention.forward(other)
    again = expect.attention(attention.forward(X), (5, 3), (5, 5))
    expect.close(again[1], expect.numbers(weights, (5, 5), "weights"), "weights", code="SA-REINIT")
    expect.close(again[0], expect.numbers(output, (5, 3), "output"), "output", code="SA-REINIT")
    attention.W_q, attention.W_k, attention.W_v = matrices(rng)
    moved = expect.attention(attention.forward(X), (5, 3), (5, 5))
    moved = expect.numbers(moved[0], (5, 3), "output")
    expect.that(not np.allclose(moved, np.asarray(again[0])), "SA-OWN-WEIGHTS")


@needs("has_weights")
@points(1)
def test_seed_decides(student, reference, rng):
    """Equal seeds give equal weights, different seeds different ones"""
    first = made(student, 6, 4, 3)
    usual = _drawn(first)
    for one, same in zip(usual, _drawn(made(student, 6, 4, 3, 42)), strict=True):
        expect.close(same, one, code="SA-SEED-UNUSED")  # 42 is the seed unless told
    for seed in (0, 2):
        for one, other in zip(usual, _drawn(made(student, 6, 4, 3, seed)), strict=True):
            expect.that(not np.allclose(one, other), "SA-SEED-IGNORED")
    _expect_kept(first, usual)
    last = made(student, 6, 4, 3)
    last.W_q, last.W_k, last.W_v = matrices(rng)
    _expect_kept(first, usual)


def _expect_kept(attention, drawn):
    """Expect that what became of other objects has not reached this one."""
    for now, before in zip(_drawn(attention), drawn, strict=True):
        expect.close(now, before, code="SA-SHARED")


def _drawn(attention):
    """Give the three matrices of an object made with widths 6, 4 and 3."""
    widths = {"W_q": 4, "W_k": 4, "W_v": 3}
    return [expect.numbers(getattr(attention, n), (6, d), n) for n, d in widths.items()]


@needs("has_weights")
@points(1)
def test_three_different_matrices(student, reference, rng):
    """W_q, W_k and W_v are three different matrices"""
    attention = made(student, 16, 16, 16)
    drawn = [
        expect.numbers(getattr(attention, name), (16, 16), name) for name in ("W_q", "W_k", "W_v")
    ]
    for one, two in ((0, 1), (0, 2), (1, 2)):
        expect.that(not _alike(drawn[one], drawn[two]), "SA-CLONES")


def _alike(one, two):
    """Whether one matrix is the other, or a multiple of it: unrelated ones stay below 0.3."""
    with np.errstate(all="ignore"):
        one, two = one - one.mean(), two - two.mean()
        overlap = abs((one * two).sum()) / np.sqrt((one**2).sum() * (two**2).sum())
    return not overlap < 0.6


@needs("has_weights")
@points(0.5)
def test_spread_of_weights(student, reference, rng):
    """The first weights are spread so that scores stay of order 1"""
    attention = made(student, 256, 64, 260)
    for name, width in (("W_q", 64), ("W_k", 64), ("W_v", 260)):
        drawn = expect.numbers(getattr(attention, name), (256, width), name)
        with np.errstate(all="ignore"):
            spread = float(drawn.std())
        want = float(np.sqrt(2 / (256 + width)))
        expect.that(abs(spread / want - 1) < 0.25, "SA-SCALE", what=name, std=spread, want=want)


@needs("has_weights")
@points(0.5)
def test_own_generator(student, reference, rng):
    """Making an object leaves NumPy's global generator alone"""
    made(student, 6, 4, 3, 5)
    expect.that(not student.last.touched_rng, "SA-GLOBAL-SEED")


@robustness("SM-UNSTABLE")
@needs("forward")
@points(1)
def test_large_scores(student, reference, rng):
    """Scores beyond 800, above and below zero, still give weights"""
    W_q, W_k, W_v = matrices(rng)
    X = rng.normal(size=(5, 6))
    X[:, 0], X[:, 1] = 1.0, [1.0, -1.0, 1.0, -1.0, 1.0]
    W_q[:, 0], W_k[:, 0] = 0.0, 0.0
    W_q[1, 0], W_k[0, 0] = 45.0, 40.0  # a score of 900 more or less for a whole row
    check_forward(student, reference, (W_q, W_k, W_v), [X], tol=1e-2, code="SM-UNSTABLE")


@robustness("C-BATCH")
@needs("forward")
@points(1)
def test_leading_axes(student, reference, rng):
    """Several sentences at once give the results of each alone"""
    X = rng.normal(size=(2, 3, 5, 6))
    check_forward(student, reference, matrices(rng), [X])


@robustness("C-MUTATE")
@needs("forward")
@points(0.5)
def test_leaves_the_input_alone(student, reference, rng):
    """The caller's X is unchanged afterwards"""
    made(student, 6, 4, 3).forward(rng.normal(size=(5, 6)))
    expect.unchanged(student.last.changed, ("X",))


@robustness("C-INT")
@needs("forward")
@points(0.5)
def test_whole_numbers(student, reference, rng):
    """Whole numbers in X give the same results as decimals"""
    X = rng.integers(-2, 3, size=(5, 6))
    check_forward(student, reference, matrices(rng), [X])
