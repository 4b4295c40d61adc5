"""Judges `project_qkv`: three views of each token, each with its own matrix."""

from autograder import expect
from autograder.check import needs, points, robustness, visible

NAMES = ("Q", "K", "V")


def token_vectors(rng, n=5, d_model=6, d_k=3, d_v=2, lead=()):
    """Draw X, W_q, W_k and W_v with entries of order 1."""
    return (
        rng.normal(size=(*lead, n, d_model)),
        rng.normal(size=(d_model, d_k)),
        rng.normal(size=(d_model, d_k)),
        rng.normal(size=(d_model, d_v)),
    )


@visible
@points(1)
def test_three_results(student, reference, rng):
    """The result is Q, K and V, each with one row a token"""
    got = expect.items(student.project_qkv(*token_vectors(rng)), 3)
    for name, each, width in zip(NAMES, got, (3, 3, 2), strict=True):
        expect.numbers(each, (5, width), name)


@visible
@points(1)
def test_small_case(student, reference, rng):
    """Q, K and V are right when every matrix is 3 by 3"""
    given = token_vectors(rng, n=3, d_model=3, d_k=3, d_v=3)
    got = expect.items(student.project_qkv(*given), 3)
    for name, each, want in zip(NAMES, got, reference.project_qkv(*given), strict=True):
        expect.close(each, want, name)


@points(1)
def test_values(student, reference, rng):
    """Q, K and V are right when all sizes differ, and for a single token"""
    for n, d_v in ((5, 2), (1, 2), (5, 4)):  # values narrower than keys, and wider
        given = token_vectors(rng, n=n, d_v=d_v)
        got = expect.items(student.project_qkv(*given), 3)
        for name, each, want in zip(NAMES, got, reference.project_qkv(*given), strict=True):
            expect.close(each, want, name)


@robustness("C-BATCH")
@needs("small_case", "values")
@points(1)
def test_leading_axes(student, reference, rng):
    """Several sentences at once give the Q, K and V of each alone"""
    given = token_vectors(rng, lead=(2, 4))
    got = expect.items(student.project_qkv(*given), 3)
    for name, each, want in zip(NAMES, got, reference.project_qkv(*given), strict=True):
        expect.close(each, want, name)


@robustness("C-MUTATE")
@needs("small_case", "values")
@points(1)
def test_leaves_the_inputs_alone(student, reference, rng):
    """The caller's X and matrices are unchanged afterwards"""
    student.project_qkv(*token_vectors(rng))
    expect.unchanged(student.last.changed, ("X", "W_q", "W_k", "W_v"))


@robustness("C-INT")
@needs("small_case", "values")
@points(1)
def test_whole_numbers(student, reference, rng):
    """Whole numbers in X give the same results as decimals"""
    _, W_q, W_k, W_v = token_vectors(rng)
    X = rng.integers(-2, 3, size=(5, 6))
    got = expect.items(student.project_qkv(X, W_q, W_k, W_v), 3)
    for name, each, want in zip(NAMES, got, reference.project_qkv(X, W_q, W_k, W_v), strict=True):
        expect.close(each, want, name)
