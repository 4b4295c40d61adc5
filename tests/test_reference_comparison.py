"""What must hold for the drawing and for the comparison of two sentences."""

from __future__ import annotations

import unicodedata
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

Array = np.ndarray[Any, np.dtype[Any]]


@pytest.fixture
def rng() -> np.random.Generator:
    """Numbers that are the same in every run."""
    return np.random.default_rng(21)


# Heatmap


def display_width(text: str) -> int:
    """Count cells, without the lesson's own function."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return len(text) + wide - sum(unicodedata.combining(sign) > 0 for sign in text)


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("cat", 3),
        ("自然", 4),
        ("。", 2),
        ("ＡＢ", 4),
        ("e\N{COMBINING ACUTE ACCENT}", 1),
        ("a\N{ZERO WIDTH JOINER}b", 2),
        ("", 0),
    ],
)
def test_display_width_counts_cells(solutions: SimpleNamespace, text: str, cells: int) -> None:
    assert solutions.ascii_heatmap.display_width(text) == cells


@pytest.mark.parametrize(
    "tokens",
    [
        pytest.param("The cat sat on the mat".split(), id="en"),
        pytest.param("我 喜欢 自然 语言 处理 。".split(), id="zh"),
        pytest.param(["e\N{COMBINING ACUTE ACCENT}", "ＡＢ", "a", "한국", "", "x"], id="odd"),
        pytest.param((["q"] * 6, ["词"] * 6), id="pair"),
    ],
)
@pytest.mark.parametrize("fill", [0.0, np.nan, 1.0, 0.5, 2.0, -1.0, np.inf])
def test_heatmap_lines_are_equally_wide(
    solutions: SimpleNamespace, tokens: Any, fill: float, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = solutions.ascii_heatmap.ascii_heatmap(np.full((6, 6), fill), tokens)
    assert len(picture.split("\n")) == 7
    assert len({display_width(line) for line in picture.split("\n")}) == 1
    assert capsys.readouterr().out == ""


def test_heatmap_signs_follow_the_fixed_scale(
    solutions: SimpleNamespace, rng: np.random.Generator
) -> None:
    weights, chars = rng.random((3, 4)), "abcdefg"
    weights[0] = 0.0, 1.0, 0.5, 0.999
    picture = solutions.ascii_heatmap.ascii_heatmap(weights, (list("XYZ"), list("KLMN")), chars)
    lines = [line.split() for line in picture.split("\n")]
    assert lines[0] == list("KLMN")
    for query, row, line in zip("XYZ", weights, lines[1:], strict=True):
        assert line == [query, *(chars[min(int(w * 7), 6)] for w in row)]


# Comparing sentences


def random_weights(solutions: SimpleNamespace, rng: np.random.Generator, n: int = 6) -> Array:
    """Draw a table whose rows sum to 1, with some zeros in it."""
    table: Array = solutions.softmax.softmax(rng.normal(scale=3, size=(n, n))) * np.tri(n)
    return table / table.sum(axis=-1, keepdims=True)


def test_measures_stay_in_their_ranges(
    solutions: SimpleNamespace, rng: np.random.Generator
) -> None:
    of = solutions.compare_sentences
    for _ in range(50):
        a, b = random_weights(solutions, rng), random_weights(solutions, rng)
        divergence = of.js_divergence(a, b)
        assert (divergence >= 0).all() and (divergence <= np.log(2) + 1e-15).all()
        np.testing.assert_allclose(divergence, of.js_divergence(b, a), atol=1e-15)
        entropy = of.row_entropy(a)
        assert (entropy > -1e-15).all() and (entropy <= np.log(np.arange(1, 7)) + 1e-15).all()
        np.testing.assert_allclose(of.attention_difference(a, b).sum(axis=-1), 0, atol=1e-15)
        assert of.frobenius_distance(a, b) == pytest.approx(((a - b) ** 2).sum() ** 0.5)


def test_divergence_of_nearly_equal_rows_is_never_below_zero(
    solutions: SimpleNamespace, rng: np.random.Generator
) -> None:
    a = solutions.softmax.softmax(rng.normal(size=(200, 6)))
    b = solutions.softmax.softmax(np.log(a) + 1e-9 * rng.normal(size=a.shape))
    assert (solutions.compare_sentences.js_divergence(a, b) >= 0).all()


def test_measures_at_their_ends(solutions: SimpleNamespace) -> None:
    of, one_hot, even = solutions.compare_sentences, np.eye(4), np.full((4, 4), 0.25)
    assert of.row_entropy(one_hot).tolist() == [0.0] * 4
    assert not np.signbit(of.row_entropy(one_hot)).any()
    np.testing.assert_allclose(of.row_entropy(even), np.log(4))
    np.testing.assert_allclose(of.js_divergence(one_hot, one_hot[::-1]), np.log(2))
    assert of.js_divergence(even, even).tolist() == [0.0] * 4
    assert of.argmax_agreement(one_hot, one_hot) == 1.0
    assert of.argmax_agreement(one_hot, one_hot[::-1]) == 0.0
    assert of.argmax_agreement(even, even[:, ::-1]) == 1.0  # a tie counts as its lowest column
    assert type(of.argmax_agreement(even, even)) is float
    assert type(of.frobenius_distance(even, even)) is float


@pytest.mark.parametrize("words", ["dog bites man", "狗 咬 人"])
def test_attention_is_blind_to_order_until_a_mask_gives_it_one(
    solutions: SimpleNamespace, words: str
) -> None:
    tokens = words.split()
    embed = solutions.attention_scores.toy_embedding
    attention = solutions.self_attention.SelfAttention(8, 4, 3)
    x = embed(tokens)
    result = solutions.compare_sentences.compare_sentences(attention, x, embed(tokens[::-1]))
    turned = result["weights_b"][::-1, ::-1]
    np.testing.assert_allclose(result["weights_a"], turned, rtol=0, atol=1e-15)
    mask = solutions.causal_mask.causal_mask(3)
    masked = [
        solutions.masked_attention.masked_attention(
            each @ attention.W_q, each @ attention.W_k, each @ attention.W_v, mask
        )[1]
        for each in (x, x[::-1])
    ]
    assert abs(masked[0] - masked[1][::-1, ::-1]).max() > 0.1


def test_compare_sentences_keeps_the_object_and_repeats_itself(
    solutions: SimpleNamespace, rng: np.random.Generator
) -> None:
    attention = solutions.self_attention.SelfAttention(8, 4, 3)
    before = [matrix.copy() for matrix in (attention.W_q, attention.W_k, attention.W_v)]
    x_a, x_b = rng.normal(size=(2, 5, 8))
    compare = solutions.compare_sentences.compare_sentences
    first, second = compare(attention, x_a, x_b), compare(attention, x_a, x_b)
    assert list(first) == (
        "weights_a weights_b difference entropy_a entropy_b divergence agreement distance".split()
    )
    for name, value in first.items():
        np.testing.assert_array_equal(value, second[name])
    np.testing.assert_array_equal(first["weights_a"], attention.forward(x_a)[1])
    np.testing.assert_array_equal(first["weights_b"], attention.forward(x_b)[1])
    for matrix, old in zip((attention.W_q, attention.W_k, attention.W_v), before, strict=True):
        np.testing.assert_array_equal(matrix, old)
