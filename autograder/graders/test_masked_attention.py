"""Judges `masked_attention`: closed places get nothing, and the open ones share all of it."""

import numpy as np

from autograder import expect
from autograder.check import needs, points, robustness, visible


def vectors(rng, n_q=4, n_k=4, d_k=7, d_v=2, lead=()):
    """Draw queries, keys and values with entries of order 1."""
    return (
        rng.normal(size=(*lead, n_q, d_k)),
        rng.normal(size=(*lead, n_k, d_k)),
        rng.normal(size=(*lead, n_k, d_v)),
    )


def some_open(rng, *shape):
    """Draw a mask in which each row has an open place and a closed one."""
    n_k = shape[-1]
    mask = rng.random(size=shape) < 0.5
    first = rng.integers(0, n_k, size=shape[:-1])
    places = np.arange(n_k)
    mask = mask | (places == first[..., None])
    return mask & (places != (first[..., None] + 1) % n_k)


def check_both(student, reference, given, shapes, tol=expect.ATOL, code="C-VALUES"):
    """Expect output and weights."""
    output, weights = expect.attention(student.masked_attention(*given), *shapes)
    want = reference.masked_attention(*given)
    expect.close(weights, want[1], "weights", tol=tol, code=code)
    expect.close(output, want[0], "output", tol=tol, code=code)


@visible
@points(1)
def test_without_a_mask(student, reference, rng):
    """Without a mask every token looks at every token"""
    given = vectors(rng)
    check_both(student, reference, given, ((4, 2), (4, 4)))


@visible
@points(1)
def test_rows_sum_to_one(student, reference, rng):
    """With a mask each row of weights still sums to 1"""
    for d_k, d_v in ((4, 4), (7, 2)):
        given = (*vectors(rng, d_k=d_k, d_v=d_v), some_open(rng, 4, 4))
        got = student.masked_attention(*given)
        _, weights = expect.attention(got, (4, d_v), (4, 4))
        expect.rows_sum_to_one(weights, (4, 4))


@visible
@points(1)
def test_closed_places(student, reference, rng):
    """A closed place gets no weight"""
    Q, K, V = vectors(rng)
    mask = np.hstack([some_open(rng, 4, 3), np.zeros((4, 1), bool)])  # nobody sees the last key
    got = student.masked_attention(Q, K, V, mask)
    _, weights = expect.attention(got, (4, 2), (4, 4))
    leaked = np.abs(expect.numbers(weights, (4, 4), "weights")[~mask]).max()
    expect.that(leaked < expect.CLOSED, "C-CLOSED", w=float(leaked))


@points(2)
def test_weights(student, reference, rng):
    """The weights of the open places are right"""
    for d_k, d_v in ((4, 4), (7, 2)):
        given = (*vectors(rng, d_k=d_k, d_v=d_v), some_open(rng, 4, 4))
        got = student.masked_attention(*given)
        _, weights = expect.attention(got, (4, d_v), (4, 4))
        _, want = reference.masked_attention(*given)
        expect.close(weights, want, "weights")


@points(2)
def test_output(student, reference, rng):
    """The output mixes the open values alone"""
    unseen = np.hstack([some_open(rng, 4, 3), np.zeros((4, 1), bool)])  # nobody sees the last key
    for n, mask in (
        (4, unseen),
        (5, np.tri(5, dtype=bool)),
        (1, np.ones((1, 1), bool)),
    ):
        given = (*vectors(rng, n_q=n, n_k=n), mask)
        got = student.masked_attention(*given)
        output, _ = expect.attention(got, (n, 2), (n, n))
        want, _ = reference.masked_attention(*given)
        expect.close(output, want, "output")


@visible
@robustness("C-SQUARE")
@points(1)
def test_more_keys_than_queries(student, reference, rng):
    """Three queries may look at five keys, and five at three"""
    for n_q, n_k in ((3, 5), (5, 3)):
        given = (*vectors(rng, n_q=n_q, n_k=n_k), some_open(rng, n_q, n_k))
        check_both(student, reference, given, ((n_q, 2), (n_q, n_k)))


@robustness("SM-UNSTABLE")
@needs("weights", "output")
@points(1)
def test_large_scores(student, reference, rng):
    """Scores beyond 800 still give weights, even where the closed places have them"""
    shapes = ((4, 2), (4, 4))
    for first_of_queries, first_of_keys in (
        ([45.0, -45.0, 45.0, -45.0], [50.0] * 4),
        ([45.0] * 4, [50.0, -50.0, -50.0, -50.0]),
    ):
        Q, K, V = vectors(rng)
        Q[:, 0], K[:, 0] = first_of_queries, first_of_keys
        mask = np.array([[0, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]], dtype=bool)
        given = (Q, K, V, mask)
        check_both(student, reference, given, shapes, tol=1e-2, code="SM-UNSTABLE")


@robustness("C-BATCH")
@needs("weights", "output")
@points(1)
def test_leading_axes(student, reference, rng):
    """Several sentences at once work, with one mask for all or one for each"""
    for shape in ((4, 4), (2, 1, 4, 4), (2, 3, 4, 4)):
        given = (*vectors(rng, lead=(2, 3)), some_open(rng, *shape))
        check_both(student, reference, given, ((2, 3, 4, 2), (2, 3, 4, 4)))


@robustness("C-MUTATE")
@needs("weights", "output")
@points(1)
def test_leaves_the_inputs_alone(student, reference, rng):
    """The caller's Q, K, V and mask are unchanged afterwards"""
    student.masked_attention(*vectors(rng), some_open(rng, 4, 4))
    expect.unchanged(student.last.changed, ("Q", "K", "V", "mask"))


@robustness("C-INT")
@needs("weights", "output")
@points(1)
def test_whole_numbers(student, reference, rng):
    """Whole numbers in Q, K and V give the same results as decimals"""
    Q, K, V = (rng.integers(-2, 3, size=(4, d)) for d in (7, 7, 2))
    check_both(student, reference, (Q, K, V, some_open(rng, 4, 4)), ((4, 2), (4, 4)))
