"""Diagnosis: the smallest true name for code that was not written from the bank."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import running

from autograder.assess import tell
from autograder.bank import Bank, load_bank
from autograder.chain import Mistake
from autograder.diagnose import diagnose
from autograder.finding import PLAIN, UNKNOWN, Finding, settled, smallest
from autograder.judge import Judged
from autograder.sketch import diagnose_from, freeze
from autograder.student import LocalStudent, Reply, Step, Trouble


def found(exercise: str, source: str, seed: int = 0) -> Finding | None:
    """Judge a student's text and diagnose it."""
    names = running.namespace_of(exercise, "import numpy as np\n" + source)
    student = LocalStudent(names)
    outcomes = running.run(exercise, student, seed)
    bank = load_bank(running.kit().mistakes, exercise)
    return diagnose(bank, student.trace, running.graders().everything, outcomes)


def codes(exercise: str, source: str) -> tuple[str, ...]:
    finding = found(exercise, source)
    assert finding is not None, "the grader let it through"
    return finding.codes


# Each as a learner might write it: other variables, other functions, other order than the bank's.
NAMED = [
    (
        "softmax",
        "SM-AXIS0",
        """
def softmax(x, axis=-1):
    exps = np.exp(x)
    return exps / exps.sum(axis=0)
""",
    ),
    (
        "softmax",
        "SM-UNSTABLE",
        """
def softmax(x, axis=-1):
    total = np.add.reduce(np.exp(x), axis=axis, keepdims=True)
    return np.exp(x) / total
""",
    ),
    (
        "softmax",
        "SM-GLOBAL",
        """
def softmax(x, axis=-1):
    big = np.amax(x)
    s = np.exp(x - big)
    return s * (1 / np.sum(s))
""",
    ),
    (
        "attention_scores",
        "SCALE-NONE",
        """
def attention_scores(Q, K):
    return np.einsum("...qd,...kd->...qk", Q, K)
""",
    ),
    (
        "attention_scores",
        "SCALE-ADD",
        """
def attention_scores(Q, K):
    return np.matmul(Q, np.moveaxis(K, -1, -2)) + K.shape[-1] ** 0.5
""",
    ),
    (
        "attention_scores",
        "C-BATCH",
        """
def attention_scores(Q, K):
    return Q.dot(K.T) / np.sqrt(K.shape[-1])
""",
    ),
    (
        "scaled_dot_product_attention",
        "SCALE-SQRT-DV",
        """
from softmax import softmax
def scaled_dot_product_attention(Q, K, V):
    w = softmax(np.einsum("...qd,...kd->...qk", Q, K) / V.shape[-1] ** 0.5)
    return w @ V, w
""",
    ),
    (
        "scaled_dot_product_attention",
        "C-SWAP",
        """
from softmax import softmax
from attention_scores import attention_scores
def scaled_dot_product_attention(Q, K, V):
    w = softmax(attention_scores(Q, K))
    return [w, w @ V]
""",
    ),
    (
        "masked_attention",
        "MASK-AFTER",
        """
from softmax import softmax
from attention_scores import attention_scores
def masked_attention(Q, K, V, mask=None):
    w = softmax(attention_scores(Q, K))
    if mask is not None:
        w = np.where(mask, w, 0.0)
    return w @ V, w
""",
    ),
    (
        "masked_attention",
        "MASK-INVERTED",
        """
from softmax import softmax
from attention_scores import attention_scores
def masked_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K)
    if mask is not None:
        s = s + mask * -1e9
    w = softmax(s)
    return w @ V, w
""",
    ),
    (
        "masked_attention",
        "MASK-LEAKY",
        """
from softmax import softmax
from attention_scores import attention_scores
def masked_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K)
    if mask is not None:
        s = np.where(mask, s, -20)
    w = softmax(s)
    return w @ V, w
""",
    ),
    (
        "project_qkv",
        "P-SAME-W",
        """
def project_qkv(X, W_q, W_k, W_v):
    q = X @ W_q
    return q, q.copy(), X @ W_v
""",
    ),
    (
        "causal_mask",
        "CAUSAL-TRIU",
        """
def causal_mask(n):
    return np.array([[j >= i for j in range(n)] for i in range(n)])
""",
    ),
    (
        "heads",
        "H-SPLIT-RESHAPE",
        """
def split_heads(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError
    return X.reshape(X.shape[:-2] + (n_heads, X.shape[-2], -1))
""",
    ),
    (
        "multi_head_attention",
        "H-SCALE-DMODEL",
        """
from heads import concat_heads, split_heads
from softmax import softmax
def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    q, k, v = [split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v)]
    s = q @ k.swapaxes(-1, -2) / X.shape[-1] ** 0.5
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return concat_heads(w @ v) @ W_o, w
""",
    ),
    (
        "multi_head_attention",
        "H-NO-WO",
        """
from heads import concat_heads, split_heads
from masked_attention import masked_attention
def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    q, k, v = [split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v)]
    o, w = masked_attention(q, k, v, mask)
    return concat_heads(o), w
""",
    ),
    (
        "compare_sentences",
        "CMP-LOG2",
        """
def row_entropy(A):
    return -np.sum(A * np.log2(np.where(A > 0, A, 1)), axis=1)
""",
    ),
    (
        "compare_sentences",
        "CMP-DIST-NOROOT",
        """
def frobenius_distance(A, B):
    return float(np.square(A - B).sum())
""",
    ),
    (
        "ascii_heatmap",
        "HM-PRINTS",
        """
def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    print("  " + " ".join(tokens))
    for token, row in zip(tokens, weights):
        print(token, " ".join(chars[min(int(w * len(chars)), len(chars) - 1)] for w in row))
""",
    ),
    (
        "self_attention",
        "SA-GLOBAL-SEED",
        """
from scaled_dot_product_attention import scaled_dot_product_attention
class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        np.random.seed(seed)
        std = lambda a, b: np.sqrt(2 / (a + b))
        self.W_q = np.random.normal(0, std(d_model, d_k), (d_model, d_k))
        self.W_k = np.random.normal(0, std(d_model, d_k), (d_model, d_k))
        self.W_v = np.random.normal(0, std(d_model, d_v), (d_model, d_v))
    def forward(self, X):
        return scaled_dot_product_attention(X @ self.W_q, X @ self.W_k, X @ self.W_v)
""",
    ),
    (
        "self_attention",
        "SA-REINIT",
        """
from scaled_dot_product_attention import scaled_dot_product_attention
class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        self.rng, self.sizes = np.random.default_rng(seed), (d_model, d_k, d_v)
        self.fresh()
    def fresh(self):
        d, k, v = self.sizes
        self.W_q = self.rng.normal(0, np.sqrt(2 / (d + k)), (d, k))
        self.W_k = self.rng.normal(0, np.sqrt(2 / (d + k)), (d, k))
        self.W_v = self.rng.normal(0, np.sqrt(2 / (d + v)), (d, v))
    def forward(self, X):
        self.fresh()
        return scaled_dot_product_attention(X @ self.W_q, X @ self.W_k, X @ self.W_v)
""",
    ),
]


@pytest.mark.parametrize(
    ("exercise", "code", "source"), NAMED, ids=[f"{each[0]}-{each[1]}" for each in NAMED]
)
def test_a_mistake_is_named_when_a_learner_writes_it_her_way(
    exercise: str, code: str, source: str
) -> None:
    finding = found(exercise, source)
    assert finding is not None
    assert finding.codes == (code,)
    assert finding.candidates == ()


def test_two_mistakes_are_both_named_when_they_come_together() -> None:
    source = """
from softmax import softmax
def masked_attention(Q, K, V, mask=None):
    s = Q @ np.swapaxes(K, -1, -2)
    w = softmax(s)
    if mask is not None:
        w = w * mask
    return w @ V, w
"""
    finding = found("masked_attention", source)
    assert finding is not None
    assert ("SCALE-NONE", "MASK-AFTER") in (finding.codes, *finding.candidates)


def test_two_functions_are_named_each_by_itself_when_both_differ() -> None:
    source = """
def row_entropy(A):
    return (A * np.log(np.where(A > 0, A, 1))).sum(axis=-1)
def frobenius_distance(A, B):
    return float(np.abs(A - B).sum())
"""
    assert set(codes("compare_sentences", source)) == {"CMP-MINUS", "CMP-DIST-L1"}


INNER = [
    pytest.param(name, mistake, id=f"{name}-{mistake.name}")
    for name in ("row_entropy", "attention_difference")
    for mistake in load_bank(running.kit().mistakes, "compare_sentences").chains[name].mistakes
    if mistake.places
]


def calling(name: str, mistake: Mistake) -> dict[str, Any]:
    """Give the solution of compare_sentences with one of its inner functions mistaken."""
    text = (running.ROOT / "solutions" / "compare_sentences.py").read_text("utf-8")
    names = running.namespace_of("compare_sentences", text)
    (body,) = mistake.places.values()

    def mistaken(*tables: Any) -> Any:
        return body(*(np.asarray(each, dtype=float) for each in tables))

    names["compare_sentences"].__globals__[name] = mistaken
    return {**names, name: mistaken}


@pytest.mark.parametrize(("name", "mistake"), INNER)
def test_one_mistake_is_one_thing_where_other_functions_call_the_mistaken_one(
    name: str, mistake: Mistake
) -> None:
    bank, right = load_bank(running.kit().mistakes, "compare_sentences"), running.graders()
    student = LocalStudent(calling(name, mistake))
    outcomes = running.run("compare_sentences", student, 0)
    finding = diagnose(bank, student.trace, right.everything, outcomes)
    assert finding is not None
    assert (finding.codes, finding.candidates) == ((mistake.code,), ())


def test_a_consequence_alone_is_no_known_mistake() -> None:
    source = """
def js_divergence(A, B):
    return np.zeros(len(A))
"""
    assert codes("compare_sentences", source)[-1] == UNKNOWN
    assert "CMP-MINUS" not in codes("compare_sentences", source)


@pytest.mark.parametrize(
    ("codes", "more"),
    [
        (("CMP-MINUS",), False),
        (("CMP-MINUS", UNKNOWN), False),
        (("CMP-MINUS", "CMP-DIST-L1"), True),
        (("CMP-MINUS", "CMP-DIST-L1", UNKNOWN), True),
        (("CMP-MINUS", "C-MUTATE"), True),
    ],
)
def test_two_things_are_told_only_where_two_are_recognised(
    codes: tuple[str, ...], more: bool
) -> None:
    student = LocalStudent(running.namespace_of("softmax", "def softmax(x):\n    return None"))
    judged = Judged("softmax", "attempted", tuple(running.run("softmax", student, 0)))
    told = tell(judged, lambda _: Finding(codes))
    assert (told.codes, told.more) == (codes, more)


@pytest.mark.parametrize(
    ("parts", "left"),
    [
        ([(("A",),), (("A*",), ("B",))], [(("A",),), (("A",), ("B",))]),
        ([(("A",),), (("A*",),)], [(("A",),), (("A",),)]),
        ([(("B",),), (("A*",),)], [(("B",),)]),
        ([(("A*",),)], []),
        ([(("A*",),), (("A*",),)], []),
        ([(("A",), ("A*",))], [(("A",),)]),
        ([((),), (("B",),)], [((),), (("B",),)]),
    ],
)
def test_a_consequence_counts_where_another_part_shows_its_mistake(
    parts: list[Any], left: list[Any]
) -> None:
    assert settled(parts) == left


def test_an_inner_function_is_named_once_when_others_use_it() -> None:
    source = """
from self_attention import SelfAttention
def attention_difference(A, B):
    return A - B
def row_entropy(A):
    return -(A * np.log2(np.where(A > 0, A, 1))).sum(axis=-1)
def js_divergence(A, B):
    return row_entropy((A + B) / 2) - (row_entropy(A) + row_entropy(B)) / 2
def compare_sentences(attention, X_a, X_b):
    if X_a.shape != X_b.shape:
        raise ValueError
    A, B = attention.forward(X_a)[1], attention.forward(X_b)[1]
    return dict(weights_a=A, weights_b=B, difference=A - B, entropy_a=row_entropy(A),
                entropy_b=row_entropy(B), divergence=js_divergence(A, B),
                agreement=float(np.mean(A.argmax(1) == B.argmax(1))),
                distance=float(np.linalg.norm(A - B)))
"""
    assert codes("compare_sentences", source) == ("CMP-LOG2",)


def test_candidates_are_listed_when_no_output_can_tell_them_apart() -> None:
    finding = found(
        "scaled_dot_product_attention",
        """
from softmax import softmax
def scaled_dot_product_attention(Q, K, V):
    w = softmax(Q @ np.swapaxes(K, -1, -2) / K.shape[-1])
    return w @ V, w
""",
    )
    assert finding is not None
    assert finding.candidates == (("SCALE-DK",), ("SCALE-TWICE",))
    assert finding.common == "EQ-SCALE-DK"


def test_adding_the_root_is_not_told_as_no_scaling_alone() -> None:
    finding = found(
        "scaled_dot_product_attention",
        """
from softmax import softmax
def scaled_dot_product_attention(Q, K, V):
    w = softmax(Q @ np.swapaxes(K, -1, -2) + np.sqrt(K.shape[-1]))
    return w @ V, w
""",
    )
    assert finding is not None
    assert finding.common == "EQ-SCALE-NONE"
    assert ("SCALE-ADD",) in finding.candidates


# Never a name that does not give the numbers


STRANGE = [
    ("softmax", "def softmax(x, axis=-1):\n    return np.tanh(x) ** 2 + 0.01"),
    (
        "attention_scores",
        "def attention_scores(Q, K):\n    return np.sin(Q @ np.swapaxes(K, -1, -2))",
    ),
    (
        "masked_attention",
        """
from softmax import softmax
def masked_attention(Q, K, V, mask=None):
    w = softmax(1.07 * Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1]))
    return w @ V, w
""",
    ),
    (
        "multi_head_attention",
        """
def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    n, d = X.shape[-2:]
    w = np.broadcast_to(np.eye(n), (*X.shape[:-2], n_heads, n, n))
    return X @ W_q @ W_o, w
""",
    ),
    ("compare_sentences", "def row_entropy(A):\n    return 1 - (A ** 2).sum(axis=-1)"),
]


@pytest.mark.parametrize(("exercise", "source"), STRANGE, ids=[each[0] for each in STRANGE])
def test_nothing_is_named_when_no_mistake_gives_the_numbers(exercise: str, source: str) -> None:
    finding = found(exercise, source)
    assert finding is not None
    assert finding.codes == (UNKNOWN,)
    assert finding.slots["seen_parts"]


def test_places_are_said_without_the_right_number_when_unknown() -> None:
    finding = found("softmax", STRANGE[0][1])
    assert finding is not None
    assert set(finding.slots["seen_parts"]) <= {"differs", "row_sum", "shape", "nan"}
    assert "want" not in finding.slots or isinstance(finding.slots["want"], tuple)


RIGHTS = [
    pytest.param(path, id=f"{path.parent.name}-{path.stem}")
    for path in sorted(running.VARIANTS.rglob("*.py"))
]


@pytest.mark.parametrize("path", RIGHTS)
def test_right_code_is_never_diagnosed(path: Path) -> None:
    student = LocalStudent(running.variant(path))
    outcomes = running.run(path.parent.name, student)
    bank = load_bank(running.kit().mistakes, path.parent.name)
    assert diagnose(bank, student.trace, running.graders().everything, outcomes) is None


@pytest.mark.parametrize("path", RIGHTS)
def test_right_code_is_never_misnamed_when_a_check_fails_anyway(path: Path) -> None:
    exercise = path.parent.name
    student = LocalStudent(running.variant(path))
    outcomes = running.run(exercise, student)
    told = [_Failed(outcome.check, "failed", "C-VALUES", {}) for outcome in outcomes]
    bank = load_bank(running.kit().mistakes, exercise)
    finding = diagnose(bank, student.trace, running.graders().everything, told)
    assert finding is not None
    assert set(finding.codes) <= {"C-FLOAT32", UNKNOWN} | PLAIN


class _Failed:
    def __init__(self, check: Any, status: str, code: str, slots: dict[str, Any]) -> None:
        self.check, self.status, self.code, self.slots = check, status, code, slots


# Correct, but


BUT = [
    (
        "softmax",
        "C-MUTATE",
        "def softmax(x, axis=-1):\n    y = np.exp(x - x.max(axis=axis, "
        "keepdims=True))\n    y /= y.sum(axis=axis, keepdims=True)\n    x *= 0\n    return y",
    ),
    (
        "softmax",
        "C-INT",
        "def softmax(x, axis=-1):\n    y = np.exp(x - x.max(axis=axis, "
        "keepdims=True))\n    out = np.zeros_like(x)\n    out[...] = y / y.sum(axis=axis, "
        "keepdims=True)\n    return out",
    ),
    (
        "masked_attention",
        "MASK-AFTER-RENORM",
        """
from softmax import softmax
from attention_scores import attention_scores
def masked_attention(Q, K, V, mask=None):
    w = softmax(attention_scores(Q, K))
    if mask is not None:
        w = w * mask
        w = w / w.sum(axis=-1, keepdims=True)
    return w @ V, w
""",
    ),
]


@pytest.mark.parametrize(("exercise", "code", "source"), BUT, ids=[each[1] for each in BUT])
def test_an_answer_is_correct_but_when_only_robustness_is_missing(
    exercise: str, code: str, source: str
) -> None:
    finding = found(exercise, source)
    assert finding is not None
    assert (finding.codes, finding.correct_but) == ((code,), True)


# Troubles and odd answers


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return None", "C-NONE"),
        ("raise KeyError('x')", "C-RAISED"),
        ("return 'text'", "C-NOT-ARRAY"),
        ("return {'a': 1}", "C-NOT-ARRAY"),
        ("return x.astype(complex)", "C-REFUSED"),
        ("return [[1], [2, 3]]", "C-NOT-ARRAY"),
    ],
)
def test_what_is_seen_is_said_when_there_are_no_numbers(body: str, code: str) -> None:
    assert codes("softmax", f"def softmax(x, axis=-1):\n    {body}") == (code,)


@pytest.mark.parametrize("kind", ["timeout", "died", "stub", "missing", "refused"])
def test_nothing_is_replayed_when_an_answer_never_came(kind: str) -> None:
    student = LocalStudent(running.graders().everything)
    outcomes = running.run("softmax", student)
    trace = [
        Step(s.check, s.op, s.name, s.target, s.args, s.kwargs, Reply(Trouble(kind)))
        for s in student.trace
    ]
    told = [_Failed(outcomes[0].check, "failed", "C-TIMEOUT", {})]
    bank = load_bank(running.kit().mistakes, "softmax")
    finding = diagnose(bank, trace, running.graders().everything, told)
    assert finding is not None
    assert finding.codes == ("C-TIMEOUT",)


def test_nothing_is_diagnosed_when_no_check_failed() -> None:
    bank = Bank("softmax", {})
    assert diagnose(bank, [], {}, []) is None


def test_random_weights_are_not_compared_when_the_check_did_not_set_them() -> None:
    source = """
from scaled_dot_product_attention import scaled_dot_product_attention
class SelfAttention:
    def __init__(self, d_model, d_k, d_v, seed=42):
        r = np.random.RandomState(seed)
        self.W_q, self.W_k = r.randn(d_model, d_k), r.randn(d_model, d_k)
        self.W_v = r.randn(d_model, d_v)
    def forward(self, X):
        return scaled_dot_product_attention(X @ self.W_q, X @ self.W_k, X @ self.W_v)
"""
    assert codes("self_attention", source) == ("SA-SCALE",)


def test_the_smallest_sets_explain_every_part() -> None:
    assert smallest([(("A",), ("B",)), (("B",), ("C",))]) == [("B",)]
    assert smallest([(("A",),), (("B",), ("C",))]) == [("A", "B"), ("A", "C")]
    assert smallest([((),), (("A",),)]) == [("A",)]
    assert smallest([((),)]) == []


def test_a_finding_is_the_same_when_other_numbers_are_drawn() -> None:
    source = NAMED[8][2]
    assert {found("masked_attention", source, seed).codes for seed in range(5)} == {  # type: ignore[union-attr]
        ("MASK-AFTER",)
    }


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_mistake_is_named_when_it_is_made_in_another_precision(dtype: str) -> None:
    source = f"""
def softmax(x, axis=-1):
    e = np.exp(x.astype("{dtype}"))
    return e / e.sum()
"""
    assert codes("softmax", source) == ("SM-GLOBAL",)


ODD: list[Any] = [
    None,
    True,
    "",
    "a\nb",
    [],
    (None, None),
    ({}, "x"),
    {"a": (1.0, None)},
    {"weights_a": "x", "entropy_a": {}},
    np.array([]),
    np.zeros((0, 3)),
    np.array(np.nan),
    np.full((4, 4), np.inf),
    np.full((4, 4), 1e308),
    (np.ones((4, 2)), "weights"),
    ([1.0, [2.0]], [[1.0], 2.0]),
    10**400,
    np.arange(4, dtype=np.uint8),
    np.ones((4, 4), dtype=np.float16),
    tuple(range(7)),
]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:24])
@pytest.mark.parametrize("exercise", running.kit().ids)
def test_no_answer_stops_a_diagnosis(exercise: str, odd: Any) -> None:
    right = running.graders().everything

    class Odd:
        W_q = W_k = W_v = odd

        def __init__(self, *_: Any) -> None: ...

        def forward(self, *_: Any) -> Any:
            return odd

    names = running.kit().exercise(exercise).names
    given = {name: Odd if name[0].isupper() else lambda *_, **__: odd for name in names}
    student = LocalStudent({**right, **given})
    outcomes = running.run(exercise, student)
    bank = load_bank(running.kit().mistakes, exercise)
    finding = diagnose(bank, student.trace, right, outcomes)
    assert finding is None or finding.codes
    kept = freeze(bank, student.trace, right)
    told = diagnose_from(kept, student.trace, outcomes)
    assert told is None or told.codes


# Letters counted where the terminal counts cells, in drawings that the bank does not make

DRAWN = """
def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    queries, keys = (tokens, tokens) if isinstance(tokens[0], str) else tokens
    weights = np.asarray(weights, dtype=float)
    wide = {wide}
    lines = [" " * wide + "".join(f"{{key:>{{wide + 1}}}}" for key in keys)]
    for query, row in zip(queries, {rows}):
        signs = [{sign} for weight in row]
        lines.append(f"{{query:>{{wide}}}}" + "".join(f"{{sign:>{{wide + 1}}}}" for sign in signs))
    return "\\n".join(lines)
"""
SIGN = "chars[min(int(weight * len(chars)), len(chars) - 1)]"


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ({}, ("HM-WIDTH",)),
        ({"wide": "8"}, ("HM-WIDTH",)),
        ({"sign": f"2 * {SIGN}"}, ("HM-WIDTH",)),
        ({"rows": "weights"}, ("HM-NAN", "HM-WIDTH")),
        ({"sign": "chars[round(weight ** 3 * (len(chars) - 1))]"}, ("HM-WIDTH", UNKNOWN)),
    ],
    ids=["widest-token", "fixed-width", "sign-twice", "nan-too", "beside-something-unknown"],
)
def test_counted_letters_are_named_however_it_is_drawn(
    parts: dict[str, str], named: tuple[str, ...]
) -> None:
    usual = {"wide": "max(map(len, [*queries, *keys]))", "sign": SIGN}
    source = DRAWN.format(**{**usual, "rows": "np.nan_to_num(weights)", **parts})
    assert codes("ascii_heatmap", source) == named
