"""Judges `scaled_dot_product_attention`: weights and output, each on its own."""

from autograder import expect
from autograder.check import needs, points, robustness, visible


def vectors(rng, n_q=4, n_k=4, d_k=7, d_v=2, lead=()):
    """Draw queries, keys and values with entries of order 1."""
    return (
        rng.normal(size=(*lead, n_q, d_k)),
        rng.normal(size=(*lead, n_k, d_k)),
        rng.normal(size=(*lead, n_k, d_v)),
    )


@visible
@points(1)
def test_two_results(student, reference, rng):
    """The result is the output, then the weights"""
    Q, K, V = vectors(rng)
    got = student.scaled_dot_product_attention(Q, K, V)
    expect.attention(got, output=(4, 2), weights=(4, 4))


@visible
@points(2)
def test_weights(student, reference, rng):
    """The weights are right, and each row of them sums to 1"""
    for d_k, d_v in ((4, 4), (7, 2)):
        Q, K, V = vectors(rng, d_k=d_k, d_v=d_v)
        got = student.scaled_dot_product_attention(Q, K, V)
        _, weights = expect.attention(got, output=(4, d_v), weights=(4, 4))
        expect.rows_sum_to_one(weights, (4, 4))
        _, want = reference.scaled_dot_product_attention(Q, K, V)
        expect.close(weights, want, "weights")


@visible
@points(2)
def test_output(student, reference, rng):
    """The output is right, for random vectors and for a single token"""
    for n, d_v in ((4, 4), (4, 2), (1, 2)):
        Q, K, V = vectors(rng, n_q=n, n_k=n, d_v=d_v)
        got = student.scaled_dot_product_attention(Q, K, V)
        output, _ = expect.attention(got, output=(n, d_v), weights=(n, n))
        want, _ = reference.scaled_dot_product_attention(Q, K, V)
        expect.close(output, want, "output")


@visible
@robustness("C-SQUARE")
@points(1)
def test_more_keys_than_queries(student, reference, rng):
    """Three queries may look at five keys, and five at three"""
    for n_q, n_k in ((3, 5), (5, 3)):
        Q, K, V = vectors(rng, n_q=n_q, n_k=n_k)
        got = student.scaled_dot_product_attention(Q, K, V)
        output, weights = expect.attention(got, output=(n_q, 2), weights=(n_q, n_k))
        want = reference.scaled_dot_product_attention(Q, K, V)
        expect.close(weights, want[1], "weights")
        expect.close(output, want[0], "output")


@robustness("SM-UNSTABLE")
@needs("weights", "output")
@points(1)
def test_large_scores(student, reference, rng):
    """Scores beyond 800, above and below zero, still give weights"""
    for first_of_keys in ([50.0] * 4, [50.0, -50.0, -50.0, -50.0]):
        Q, K, V = vectors(rng)
        Q[:, 0] = [45.0, -45.0, 45.0, -45.0]
        K[:, 0] = first_of_keys
        got = student.scaled_dot_product_attention(Q, K, V)
        output, weights = expect.attention(got, output=(4, 2), weights=(4, 4))
        want = reference.scaled_dot_product_attention(Q, K, V)
        expect.close(weights, want[1], "weights", tol=1e-2, code="SM-UNSTABLE")
        expect.close(output, want[0], "output", tol=1e-2, code="SM-UNSTABLE")


@robustness("C-BATCH")
@needs("weights", "output")
@points(1)
def test_leading_axes(student, reference, rng):
    """Several sentences at once give the results of each alone"""
    Q, K, V = vectors(rng, lead=(2, 3))
    got = student.scaled_dot_product_attention(Q, K, V)
    output, weights = expect.attention(got, output=(2, 3, 4, 2), weights=(2, 3, 4, 4))
    want = reference.scaled_dot_product_attention(Q, K, V)
    expect.close(weights, want[1], "weights")
    expect.close(output, want[0], "output")


@robustness("C-MUTATE")
@needs("weights", "output")
@points(1)
def test_leaves_the_inputs_alone(student, reference, rng):
    """The caller's Q, K and V are unchanged afterwards"""
    student.scaled_dot_product_attention(*vectors(rng))
    expect.unchanged(student.last.changed, ("Q", "K", "V"))


@robustness("C-INT")
@needs("weights", "output")
@points(1)
def test_whole_numbers(student, reference, rng):
    """Whole numbers in Q, K and V give the same results as decimals"""
    Q, K, V = (rng.integers(-2, 3, size=(4, d)) for d in (7, 7, 2))
    got = student.scaled_dot_product_attention(Q, K, V)
    output, weights = expect.attention(got, output=(4, 2), weights=(4, 4))
    want = reference.scaled_dot_product_attention(Q, K, V)
    expect.close(weights, want[1], "weights")
    expect.close(output, want[0], "output")
