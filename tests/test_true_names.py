"""A name is given only to what the code holds: code that once got another mistake's name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import running

from autograder.bank import load_bank
from autograder.diagnose import diagnose
from autograder.finding import Finding
from autograder.messages import render
from autograder.student import LocalStudent

SOFTMAX = """
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    {first}
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
COMPARE = """
def compare_sentences(attention, X_a, X_b):
    if len(X_a) != len(X_b):
        raise ValueError("lengths")
    A, B = attention.forward(X_a)[1], attention.forward(X_b)[1]
    return {{
        "weights_a": A,
        "weights_b": B,
        "difference": A - B,
        "entropy_a": row_entropy(A),
        "entropy_b": row_entropy(B),
        "divergence": {divergence},
        "agreement": {agreement},
        "distance": float(np.sqrt(((A - B) ** 2).sum())),
    }}
"""
MASKED = """
from attention_scores import attention_scores
from softmax import softmax
def masked_attention(Q, K, V, mask=None):
    scores = attention_scores(Q, K)
    if mask is not None:
        scores = {closed}
    weights = softmax(scores)
    return weights @ V, weights
"""
HEATMAP = """
def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    weights = np.nan_to_num(np.asarray(weights, dtype=float))
    {lists}
    left, wide = max(map(display_width, rows)), max(map(display_width, cols))
    def pad(text, width):
        return " " * (width - display_width(text)) + text
    lines = [" ".join([" " * left, *(pad(token, wide) for token in cols)])]
    for token, row in zip(rows, weights):
        signs = [chars[{level}] for w in row]
        lines.append(" ".join([pad(token, left), *(pad(sign, wide) for sign in signs)]))
    return "\\n".join(lines)
"""
LISTS = "rows, cols = (tokens, tokens) if isinstance(tokens[0], str) else tokens"
LEVEL = "min(int(w * len(chars)), len(chars) - 1)"
HEADS = """
from heads import split_heads
from masked_attention import masked_attention
def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    {first}
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))
    output, weights = masked_attention(Q, K, V, mask)
    return np.concatenate(list(np.moveaxis(output, -3, 0)), axis=-1) @ W_o, weights
"""


def namespace(exercise: str, source: str) -> dict[str, Any]:
    """Give the names of the reference, with what the source defines anew."""
    right = running.kit().exercise(exercise).source
    return running.namespace_of(exercise, right + source)


def finding_of(exercise: str, source: str) -> Finding:
    student = LocalStudent(namespace(exercise, source))
    outcomes = running.run(exercise, student)
    bank = load_bank(running.kit().mistakes, exercise)
    finding = diagnose(bank, student.trace, running.graders().everything, outcomes)
    assert finding is not None, "the grader let it through"
    return finding


@pytest.mark.parametrize(
    "first",
    ["n, m = x.shape", "if x.ndim != 2: raise ValueError", "x = np.atleast_2d(x)", "len(x[0])"],
    ids=["unpacked", "refused", "made-a-table", "first-row"],
)
def test_axis_1_is_not_named_when_only_tables_work(first: str) -> None:
    finding = finding_of("softmax", SOFTMAX.format(first=first))
    assert (finding.codes, finding.correct_but) == (("SM-TABLE-ONLY",), True)


def test_axis_1_is_named_when_it_is_the_default() -> None:
    source = SOFTMAX.format(first="").replace("axis=-1", "axis=1")
    assert finding_of("softmax", source).codes == ("SM-AXIS1-HARD",)


def test_a_subtracted_sum_is_not_named_when_float32_overflows() -> None:
    source = """
def softmax(x, axis=-1):
    e = np.exp(np.asarray(x, dtype=np.float32))
    return e / e.sum(axis=axis, keepdims=True)
"""
    assert finding_of("softmax", source).codes == ("SM-UNSTABLE",)


def test_a_cut_is_not_named_when_whole_numbers_give_other_decimals() -> None:
    closed = "np.where(mask, scores * (1 + (np.asarray(Q).dtype.kind == 'i')), -np.inf)"
    finding = finding_of("masked_attention", MASKED.format(closed=closed))
    assert (finding.codes, finding.correct_but) == (("C-WHOLE",), True)


def test_a_cut_is_named_when_the_output_alone_is_cut() -> None:
    source = MASKED.format(closed="np.where(mask, scores, -np.inf)")
    source = source.replace("weights @ V,", "(weights @ V).astype(np.asarray(V).dtype),")
    assert finding_of("masked_attention", source).codes == ("C-INT",)


@pytest.mark.parametrize(
    ("lists", "level"),
    [
        (LISTS.replace("rows, cols", "cols, rows"), LEVEL),
        ("rows, cols = tokens if len(tokens) == 2 else (tokens, tokens)", LEVEL),
        (LISTS + "; cols = [*rows, *cols][: len(cols)]", LEVEL),
    ],
    ids=["other-way-round", "two-tokens", "queries-in-the-header"],
)
def test_equal_lengths_are_not_named_when_lists_are_mixed_up(lists: str, level: str) -> None:
    finding = finding_of("ascii_heatmap", HEATMAP.format(lists=lists, level=level))
    assert (finding.codes, finding.correct_but) == (("HM-LISTS",), True)


def test_the_cap_is_not_named_when_five_signs_are_counted_on() -> None:
    finding = finding_of("ascii_heatmap", HEATMAP.format(lists=LISTS, level="min(int(w * 5), 4)"))
    assert "HM-RANGE" not in finding.codes


@pytest.mark.parametrize("seed", range(40))
def test_rounded_levels_lose_the_scale_when_any_faint_weights_are_drawn(seed: int) -> None:
    source = HEATMAP.format(lists=LISTS, level="round(w * (len(chars) - 1))")
    student = LocalStudent(namespace("ascii_heatmap", source))
    outcomes = running.run("ascii_heatmap", student, seed)
    status = {each.check.name: each.status for each in outcomes}
    assert (status["shades"], status["fixed_scale"]) == ("failed", "failed")


def test_the_cap_is_named_when_it_is_missing() -> None:
    source = HEATMAP.format(lists=LISTS, level="int(w * len(chars))")
    assert finding_of("ascii_heatmap", source).codes == ("HM-RANGE",)


@pytest.mark.parametrize("divergence", ["js_divergence(A)", "attention(X_a)", "A(1)"])
def test_no_mistake_is_named_when_a_call_does_not_fit(divergence: str) -> None:
    source = COMPARE.format(divergence=divergence, agreement="argmax_agreement(A, B)")
    assert finding_of("compare_sentences", source).codes == ("C-RAISED",)


@pytest.mark.parametrize("compared", ["A == B", "np.isclose(A, B)"])
def test_cells_alone_are_named_when_the_comparison_uses_them_too(compared: str) -> None:
    agreement = f"def argmax_agreement(A, B):\n    return float(np.mean({compared}))\n"
    source = COMPARE.format(
        divergence="js_divergence(A, B)", agreement="argmax_agreement(A, B)"
    ).replace("def compare", agreement + "def compare")
    assert finding_of("compare_sentences", source).codes == ("CMP-AGREE-CELLS",)


@pytest.mark.parametrize("name", ["W_q", "forward"])
def test_no_exception_is_told_when_an_object_lacks_what_a_check_asks_for(name: str) -> None:
    source = """
from scaled_dot_product_attention import scaled_dot_product_attention
class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        rng = np.random.default_rng(seed)
        for each, d in (("W_q", d_k), ("W_k", d_k), ("W_v", d_v)):
            setattr(self, each, rng.normal(0, (2 / (d_model + d)) ** 0.5, (d_model, d)))
    def forward(self, X):
        return scaled_dot_product_attention(X @ self.W_q, X @ self.W_k, X @ self.W_v)
""".replace(name, name.upper())
    assert finding_of("self_attention", source).codes == ("C-NAME",)


@pytest.mark.parametrize("first", ["h, n, m = mask.shape", "mask = np.repeat(mask, 2, axis=0)"])
def test_a_mask_that_stops_the_code_is_told_by_that_alone(first: str) -> None:
    finding = finding_of(
        "multi_head_attention", HEADS.format(first=f"if mask is not None: {first}")
    )
    assert finding.codes[0] == "H-MASK-AXIS"
    for lang in ("en", "zh"):
        said = render("H-MASK-AXIS", finding.slots, lang)
        assert ("it stops" in said) or ("停下" in said)


def test_a_share_cut_to_0_is_told_by_what_comes_back() -> None:
    source = """
def argmax_agreement(A, B):
    agree = np.argmax(A, axis=-1) == np.argmax(B, axis=-1)
    return float(np.sum(agree) // len(agree))
"""
    finding = finding_of("compare_sentences", source)
    assert finding.codes == ("CMP-AGREE-ALL",)
    assert "0 although some rows agree" in render("CMP-AGREE-ALL", finding.slots)


CLAIMS = {
    "C-BATCH": ("turns or sums", "转置或求和"),
    "C-COUNT": ("Another number", "个数"),
    "EQ-HEADS-NARROW": ("side by side", "并排"),
    "EQ-MASK-NAN": ("two numbers", "两个数"),
    "H-DIV": ("cutting", "截掉"),
    "H-ORDER": ("glued", "拼"),
    "HM-UNPADDED": ("not padded", "没有补齐"),
    "MASK-LEAKY": ("little", "一点"),
    "SA-CLONES": ("one and the same", "和 W_v 是同一个"),
    "SM-BASE2": ("sum to 1", "加起来是 1"),
    "SM-EULER": ("sums to 1", "的和是 1"),
}


@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize("code", CLAIMS)
def test_a_sentence_leaves_out_what_is_not_seen_when_it_is_told(code: str, graded: bool) -> None:
    slots = {"w": 0.9, "got": "dict", "want": 3}
    for lang, claim in zip(("en", "zh"), CLAIMS[code], strict=True):
        assert claim not in render(code, slots, lang, graded=graded)


def test_two_equal_matrices_are_not_told_as_three() -> None:
    source = """
Right = SelfAttention
class SelfAttention(Right):
    def __init__(self, *sizes, **more):
        super().__init__(*sizes, **more)
        self.W_k = self.W_q.copy()
"""
    finding = finding_of("self_attention", source)
    assert finding.codes == ("SA-CLONES",)
    assert "At least two" in render("SA-CLONES", finding.slots)


def test_half_of_the_scores_are_named_when_the_power_binds_first() -> None:
    source = """
def attention_scores(Q, K):
    return np.asarray(Q) @ np.swapaxes(K, -1, -2) / np.shape(K)[-1] ** 1 / 2
"""
    assert finding_of("attention_scores", source).codes == ("SCALE-HALVED",)
    assert np.isclose(6 / 4**1 / 2, 6 / (2 * 4))
