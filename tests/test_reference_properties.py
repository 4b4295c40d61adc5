"""What must hold for the reference whatever the numbers: the promises that graders rely on."""

from __future__ import annotations

import copy
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest


@pytest.fixture
def rng() -> np.random.Generator:
    """Numbers that are the same in every run."""
    return np.random.default_rng(20)


# Every function at once: no mutation, whole numbers, leading axes

INPUTS: dict[str, Callable[[np.random.Generator], tuple[Any, ...]]] = {
    "softmax": lambda rng: (rng.integers(-5, 5, (2, 3, 4)),),
    "attention_scores": lambda rng: (
        rng.integers(-99, 99, (2, 3, 7)),
        rng.integers(-99, 99, (2, 5, 7)),
    ),
    "scaled_dot_product_attention": lambda rng: (
        rng.integers(-2, 2, (2, 3, 7)),
        rng.integers(-2, 2, (2, 5, 7)),
        rng.integers(-5, 5, (2, 5, 2)),
    ),
    "project_qkv": lambda rng: (
        rng.integers(-5, 5, (2, 3, 6)),
        *rng.integers(-5, 5, (2, 6, 4)),
        rng.integers(-5, 5, (6, 5)),
    ),
    "masked_attention": lambda rng: (
        rng.integers(-2, 2, (2, 3, 7)),
        rng.integers(-2, 2, (2, 5, 7)),
        rng.integers(-5, 5, (2, 5, 2)),
        np.tri(3, 5, dtype=bool),
    ),
    "split_heads": lambda rng: (rng.integers(-5, 5, (2, 5, 12)), 3),
    "concat_heads": lambda rng: (rng.integers(-5, 5, (2, 3, 5, 4)),),
    "multi_head_attention": lambda rng: (
        rng.integers(-2, 2, (2, 5, 12)),
        *rng.integers(-2, 2, (4, 12, 12)),
        3,
        np.tri(5, dtype=bool),
    ),
    "attention_difference": lambda rng: (np.eye(3, dtype=int), np.eye(3, dtype=int)[::-1]),
    "row_entropy": lambda rng: (np.eye(3, dtype=int),),
    "js_divergence": lambda rng: (np.eye(3, dtype=int), np.eye(3, dtype=int)[::-1]),
    "argmax_agreement": lambda rng: (np.eye(3, dtype=int), np.eye(3, dtype=int)[::-1]),
    "frobenius_distance": lambda rng: (np.eye(3, dtype=int), np.eye(3, dtype=int)[::-1]),
}
# which arguments have a leading axis of 2 above
BATCHED = {
    "softmax": 1,
    "attention_scores": 2,
    "scaled_dot_product_attention": 3,
    "project_qkv": 1,
    "masked_attention": 3,
    "split_heads": 1,
    "concat_heads": 1,
    "multi_head_attention": 1,
}
HOME = {
    "split_heads": "heads",
    "concat_heads": "heads",
    **dict.fromkeys(
        (
            "attention_difference",
            "row_entropy",
            "js_divergence",
            "argmax_agreement",
            "frobenius_distance",
        ),
        "compare_sentences",
    ),
}


def function_of(solutions: SimpleNamespace, name: str) -> Callable[..., Any]:
    """Find a reference function by its own name."""
    found: Callable[..., Any] = getattr(getattr(solutions, HOME.get(name, name)), name)
    return found


def parts(answer: Any) -> tuple[Any, ...]:
    """Give one answer or several as a tuple."""
    return answer if isinstance(answer, tuple) else (answer,)


def as_dtype(given: tuple[Any, ...], dtype: type) -> tuple[Any, ...]:
    """Turn the arrays of whole numbers into another type; masks and plain numbers stay."""
    return tuple(
        each.astype(dtype) if isinstance(each, np.ndarray) and each.dtype.kind == "i" else each
        for each in given
    )


@pytest.mark.parametrize("name", INPUTS)
def test_arguments_stay_as_they_were(
    solutions: SimpleNamespace, rng: np.random.Generator, name: str
) -> None:
    given = as_dtype(INPUTS[name](rng), float)
    before = copy.deepcopy(given)
    function_of(solutions, name)(*given)
    for ours, old in zip(given, before, strict=True):
        np.testing.assert_array_equal(ours, old)


@pytest.mark.parametrize("kind", [np.int64, np.int8], ids=["int64", "int8"])
@pytest.mark.parametrize("name", INPUTS)
def test_whole_numbers_count_as_decimals(
    solutions: SimpleNamespace, rng: np.random.Generator, name: str, kind: type
) -> None:
    given = INPUTS[name](rng)
    function = function_of(solutions, name)
    whole, decimal = function(*as_dtype(given, kind)), function(*as_dtype(given, float))
    for ours, expected in zip(parts(whole), parts(decimal), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", BATCHED)
def test_sentences_side_by_side_do_not_meet(
    solutions: SimpleNamespace, rng: np.random.Generator, name: str
) -> None:
    given, many = INPUTS[name](rng), BATCHED[name]
    function = function_of(solutions, name)
    together = parts(function(*given))
    for i in range(2):
        alone = parts(function(*(each[i] for each in given[:many]), *given[many:]))
        for ours, expected in zip(together, alone, strict=True):
            np.testing.assert_allclose(ours[i], expected, rtol=1e-12, atol=1e-12)


# Softmax


@pytest.mark.parametrize(
    "x",
    [
        pytest.param([[1000.0, 1001.0, 999.0], [-1000.0, -1001.0, -999.0]], id="near-1000"),
        pytest.param([[1000.0, 999.0], [-1000.0, -1001.0]], id="rows-2000-apart"),
        pytest.param([[-1.7e308, 1.7e308], [0.0, 1.0]], id="largest-floats"),
        pytest.param([[-np.inf, 0.0], [1e6, -np.inf]], id="closed-places"),
    ],
)
def test_softmax_is_stable(solutions: SimpleNamespace, x: list[list[float]]) -> None:
    weights = solutions.softmax.softmax(x)
    np.testing.assert_allclose(weights.sum(axis=-1), 1.0, rtol=1e-15)
    assert (weights.argmax(axis=-1) == np.argmax(x, axis=-1)).all()


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2])
def test_softmax_sums_to_one_along_its_axis(
    solutions: SimpleNamespace, rng: np.random.Generator, axis: int
) -> None:
    x = rng.normal(size=(2, 3, 4))
    weights = solutions.softmax.softmax(x, axis=axis)
    np.testing.assert_allclose(weights.sum(axis=axis), 1.0, rtol=1e-14)
    moved = np.moveaxis(solutions.softmax.softmax(np.moveaxis(x, axis, -1)), -1, axis)
    np.testing.assert_allclose(weights, moved, rtol=1e-14)


def test_softmax_is_blind_to_one_number_added_to_a_row(
    solutions: SimpleNamespace, rng: np.random.Generator
) -> None:
    x = rng.normal(size=(3, 5))
    moved = solutions.softmax.softmax(x + np.array([[7.0], [-3.0], [900.0]]))
    np.testing.assert_allclose(moved, solutions.softmax.softmax(x), rtol=1e-12)


# Attention


def test_weights_rows_sum_to_one_and_output_stays_within_the_values(
    solutions: SimpleNamespace, rng: np.random.Generator
) -> None:
    q, k, v = rng.normal(size=(3, 7)), rng.normal(size=(5, 7)), rng.normal(size=(5, 2))
    attention = solutions.scaled_dot_product_attention.scaled_dot_product_attention
    output, weights = attention(q, k, v)
    np.testing.assert_allclose(weights.sum(axis=-1), 1.0, rtol=1e-14)
    assert (output >= v.min(axis=0)).all() and (output <= v.max(axis=0)).all()


def test_mask_of_true_is_no_mask(solutions: SimpleNamespace, rng: np.random.Generator) -> None:
    q, k, v = rng.normal(size=(3, 7)), rng.normal(size=(5, 7)), rng.normal(size=(5, 2))
    plain = solutions.scaled_dot_product_attention.scaled_dot_product_attention(q, k, v)
    for mask in (None, True, np.ones((3, 5), dtype=bool), np.ones((1, 5), dtype=int)):
        masked = solutions.masked_attention.masked_attention(q, k, v, mask)
        for ours, expected in zip(masked, plain, strict=True):
            np.testing.assert_array_equal(ours, expected)


def test_closed_places_get_nothing_however_large_their_scores(
    solutions: SimpleNamespace, rng: np.random.Generator
) -> None:
    q, k, v = np.ones((2, 4)), rng.normal(size=(3, 4)), rng.normal(size=(3, 2))
    k[1] = 1e4
    mask = np.array([[True, False, True], [False, False, True]])
    output, weights = solutions.masked_attention.masked_attention(q, k, v, mask)
    assert not weights[~mask].any()
    np.testing.assert_allclose(weights.sum(axis=-1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(output[1], v[2])


def test_row_that_may_look_at_nobody_gives_zeros(
    solutions: SimpleNamespace, rng: np.random.Generator
) -> None:
    q, k, v = rng.normal(size=(2, 4)), rng.normal(size=(3, 4)), rng.normal(size=(3, 2))
    mask = [[False] * 3, [True] * 3]
    output, weights = solutions.masked_attention.masked_attention(q, k, v, mask)
    assert not output[0].any() and not weights[0].any()
    assert weights[1].sum() == pytest.approx(1.0)


def test_later_words_change_nothing_before_them_under_a_causal_mask(
    solutions: SimpleNamespace, rng: np.random.Generator
) -> None:
    x, matrices = rng.normal(size=(6, 12)), rng.normal(size=(4, 12, 12))
    mask = solutions.causal_mask.causal_mask(6)
    attend = solutions.multi_head_attention.multi_head_attention
    changed = x.copy()
    changed[4:] = rng.normal(size=(2, 12))
    before, _ = attend(x, *matrices, 3, mask)
    after, _ = attend(changed, *matrices, 3, mask)
    np.testing.assert_allclose(before[:4], after[:4], rtol=1e-12)
    assert abs(before[4:] - after[4:]).min() > 1e-6


@pytest.mark.parametrize("n", [0, 1, 5])
def test_causal_mask_opens_itself_and_what_came_before(solutions: SimpleNamespace, n: int) -> None:
    mask = solutions.causal_mask.causal_mask(n)
    assert mask.dtype == bool and mask.shape == (n, n)
    assert all(mask[i, j] == (j <= i) for i in range(n) for j in range(n))


# Self-attention


def test_initialisation_keeps_its_promises(solutions: SimpleNamespace) -> None:
    make = solutions.self_attention.SelfAttention
    state = np.random.get_state()[1].copy()  # type: ignore[union-attr]
    one, same, other = make(256, 64, 32), make(256, 64, 32, 42), make(256, 64, 32, seed=1)
    assert (np.random.get_state()[1] == state).all()
    for name, d_out in (("W_q", 64), ("W_k", 64), ("W_v", 32)):
        matrix = getattr(one, name)
        assert matrix.shape == (256, d_out)
        assert matrix.std() == pytest.approx((2 / (256 + d_out)) ** 0.5, rel=0.05)
        assert (matrix == getattr(same, name)).all()
        assert (matrix != getattr(other, name)).all()
    assert (one.W_q != one.W_k).all() and (one.W_q[:, :32] != one.W_v).all()


def test_forward_uses_the_matrices_that_are_set(
    solutions: SimpleNamespace, rng: np.random.Generator
) -> None:
    attention = solutions.self_attention.SelfAttention(6, 4, 3)
    attention.W_q, attention.W_k = np.zeros((6, 4)), np.zeros((6, 4))
    x = rng.normal(size=(2, 5, 6))
    output, weights = attention.forward(x)
    np.testing.assert_allclose(weights, 1 / 5)
    average = (x @ attention.W_v).mean(axis=1, keepdims=True)
    np.testing.assert_allclose(output, np.broadcast_to(average, (2, 5, 3)))
    assert (attention.forward(x)[0] == output).all()


# Heads


def test_heads_are_neighbouring_columns(
    solutions: SimpleNamespace, rng: np.random.Generator
) -> None:
    x = rng.normal(size=(2, 5, 12))
    h = solutions.heads.split_heads(x, 3)
    assert h.shape == (2, 3, 5, 4)
    for head in range(3):
        np.testing.assert_array_equal(h[:, head], x[..., 4 * head : 4 * head + 4])
    np.testing.assert_array_equal(solutions.heads.concat_heads(h), x)


def test_one_big_matrix_is_many_small_attentions(
    solutions: SimpleNamespace, rng: np.random.Generator
) -> None:
    x, w_o = rng.normal(size=(5, 12)), rng.normal(size=(12, 12))
    small = [solutions.self_attention.SelfAttention(12, 4, 4, seed=seed) for seed in range(3)]
    wide = [np.hstack([getattr(each, name) for each in small]) for name in ("W_q", "W_k", "W_v")]
    output, weights = solutions.multi_head_attention.multi_head_attention(x, *wide, w_o, 3)
    alone = [each.forward(x) for each in small]
    np.testing.assert_allclose(weights, [each[1] for each in alone], rtol=1e-12)
    expected = np.hstack([each[0] for each in alone]) @ w_o
    np.testing.assert_allclose(output, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda s: s.heads.split_heads(np.ones((5, 10)), 3), id="split"),
        pytest.param(lambda s: s.heads.split_heads(np.ones((5, 10)), 0), id="no-heads"),
        pytest.param(
            lambda s: s.multi_head_attention.multi_head_attention(
                np.ones((5, 10)), *np.ones((4, 10, 10)), 3
            ),
            id="multi-head",
        ),
        pytest.param(
            lambda s: s.attention_scores.attention_scores(np.ones((3, 7)), np.ones((5, 6))),
            id="d_k-differs",
        ),
        pytest.param(
            lambda s: s.scaled_dot_product_attention.scaled_dot_product_attention(
                np.ones((3, 7)), np.ones((5, 7)), np.ones((4, 2))
            ),
            id="value-without-key",
        ),
        pytest.param(
            lambda s: s.masked_attention.masked_attention(
                np.ones((3, 7)), np.ones((5, 7)), np.ones((5, 2)), np.ones((5, 3), dtype=bool)
            ),
            id="mask-sideways",
        ),
        pytest.param(
            lambda s: s.masked_attention.masked_attention(
                np.ones((1, 7)), np.ones((5, 7)), np.ones((5, 2)), np.ones((3, 5), dtype=bool)
            ),
            id="mask-of-more-queries",
        ),
        pytest.param(
            lambda s: s.project_qkv.project_qkv(np.ones((5, 6)), *np.ones((3, 5, 4))),
            id="projection",
        ),
        pytest.param(
            lambda s: s.self_attention.SelfAttention(6, 4, 3).forward(np.ones((5, 7))),
            id="sentence-too-wide",
        ),
        pytest.param(
            lambda s: s.ascii_heatmap.ascii_heatmap(np.eye(3), ["a", "b"]), id="token-missing"
        ),
        pytest.param(
            lambda s: s.compare_sentences.compare_sentences(
                s.self_attention.SelfAttention(6, 4, 3), np.ones((1, 6)), np.ones((5, 6))
            ),
            id="lengths-differ",
        ),
    ],
)
def test_shapes_that_do_not_fit_raise_value_error(
    solutions: SimpleNamespace, call: Callable[[SimpleNamespace], object]
) -> None:
    with pytest.raises(ValueError):
        call(solutions)


# The toy embedding


def test_toy_embedding_gives_equal_tokens_equal_vectors(solutions: SimpleNamespace) -> None:
    embed = solutions.attention_scores.toy_embedding
    x = embed(["on", "The", "the", "on", "自然"], d_model=5)
    assert x.shape == (5, 5)
    assert (x[0] == x[3]).all() and (x[1] != x[2]).all()
    assert x[0].tolist() == embed(["on"], d_model=5)[0].tolist()
    assert embed(["cat"])[0, 0] == pytest.approx(0.8365143076400455)
