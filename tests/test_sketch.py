"""Sketches: the same finding on a student's machine, from codes and numbers alone."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import running

from autograder.bank import Bank, load_bank
from autograder.desk import Playback
from autograder.diagnose import diagnose
from autograder.finding import PLAIN, UNKNOWN, Finding
from autograder.grade import run_checks
from autograder.matching import Failure
from autograder.sketch import alike, diagnose_from, directions, freeze, sketch, slack_of, total
from autograder.student import LocalStudent, Step

DATA = json.loads((running.ROOT / "exercises" / "checks.json").read_text("utf-8"))
EXERCISES = running.kit().ids
LARGEST = 350_000  # bytes of all sketches
DIRECTIONS_OF_TWO = [
    [0.2522636651992798, 0.00458073616027832],
    [0.49438154697418213, 0.8546237945556641],
]


def at_the_desk(exercise: str, names: Mapping[str, Any]) -> tuple[list[Any], list[Step]]:
    """Run the visible checks on frozen numbers."""
    checks = [each for each in running.checks_of(exercise) if each.declared.visible]
    playback, student = Playback(DATA), LocalStudent(names)
    return run_checks(checks, student, playback.reference, playback.rng_for), student.trace


def found(exercise: str, names: Mapping[str, Any]) -> Finding | None:
    """Diagnose from the committed data alone."""
    outcomes, trace = at_the_desk(exercise, names)
    return diagnose_from(DATA["exercises"][exercise]["mistakes"], trace, outcomes)


def _bank(exercise: str) -> Bank:
    return load_bank(running.kit().mistakes, exercise)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_sketches_name_what_replay_names_and_leave_open_only_what_is_declared_equal(
    exercise: str,
) -> None:
    bank, right = _bank(exercise), running.graders().everything
    unequal = []
    for chain, variant in bank.variants(doubles=False):
        outcomes, trace = at_the_desk(exercise, bank.namespace(chain, variant, right))
        replayed = diagnose(bank, trace, right, outcomes)
        kept = diagnose_from(DATA["exercises"][exercise]["mistakes"], trace, outcomes)
        if (kept is None) != (replayed is None):
            unequal.append(repr(variant))
        elif kept and replayed:
            one = (kept.codes, kept.candidates, kept.common, kept.correct_but)
            other = (replayed.codes, replayed.candidates, replayed.common, replayed.correct_but)
            if one != other:
                unequal.append(f"{variant}: {one}, not {other}")
            if kept.candidates and kept.common is None:
                unequal.append(f"{variant}: left open between {kept.candidates}")
    assert unequal == []


def test_two_mistakes_are_named_from_data() -> None:
    source = """
import numpy as np
from softmax import softmax
def masked_attention(Q, K, V, mask=None):
    w = softmax(np.einsum("...qd,...kd->...qk", Q, K))
    w = w if mask is None else w * mask
    return w @ V, w
"""
    finding = found("masked_attention", running.namespace_of("masked_attention", source))
    assert finding is not None
    assert finding.codes == ("SCALE-NONE", "MASK-AFTER")


@pytest.mark.parametrize(
    ("body", "code", "but"),
    [
        ("weights @ V, softmax(np.where(mask, S, -np.inf))", "MASK-ONLY-RETURNED", False),
        ("masked @ V, masked[: len(K), : len(Q)]", "C-SQUARE", True),
    ],
    ids=["amiss-at-any-length", "right-on-a-square"],
)
def test_unequal_lengths_tell_what_they_are_about(body: str, code: str, but: bool) -> None:
    source = f"""
import numpy as np
from softmax import softmax
def masked_attention(Q, K, V, mask=None):
    S = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1])
    mask = np.ones(S.shape, bool) if mask is None else mask
    weights, masked = softmax(S), softmax(np.where(mask, S, -np.inf))
    return {body}
"""
    finding = found("masked_attention", running.namespace_of("masked_attention", source))
    assert finding is not None
    assert (finding.codes[0], finding.correct_but) == (code, but)


LOST = [
    ("surprise = -np.log", "surprise = np.log", "CMP-MINUS"),
    ("surprise = -np.log(np.where(A > 0, A, 1.0))", "surprise = np.log(A + 1)", "CMP-LOG-SHIFT"),
    ("(A * surprise).sum(axis=-1)", "surprise.sum(axis=-1)", "CMP-ONLY-LOG"),
    ("(A * surprise).sum(axis=-1)", "A * surprise", "CMP-CELLS"),
    ("(A * surprise).sum(axis=-1)", "np.exp((A * surprise).sum(axis=-1))", "CMP-PERPLEXITY"),
]


@pytest.mark.parametrize(("right", "mistaken", "code"), LOST, ids=[each[2] for each in LOST])
def test_one_mistake_in_an_inner_function_is_one_thing_at_the_desk(
    right: str, mistaken: str, code: str
) -> None:
    text = (running.ROOT / "solutions" / "compare_sentences.py").read_text("utf-8")
    assert right in text
    names = running.namespace_of("compare_sentences", text.replace(right, mistaken))
    finding = found("compare_sentences", names)
    assert finding is not None
    assert (finding.codes, finding.candidates) == ((code,), ())


RIGHTS = [
    pytest.param(path, id=f"{path.parent.name}-{path.stem}")
    for path in sorted(running.VARIANTS.rglob("*.py"))
]


@pytest.mark.parametrize("path", RIGHTS)
def test_right_code_in_any_style_is_not_misnamed(path: Path) -> None:
    exercise = path.parent.name
    outcomes, trace = at_the_desk(exercise, running.variant(path))
    data = DATA["exercises"][exercise]["mistakes"]
    assert diagnose_from(data, trace, outcomes) is None
    told = [_Failed(each.check, "failed", "C-VALUES", {}) for each in outcomes]
    finding = diagnose_from(data, trace, told)
    assert finding is not None
    assert set(finding.codes) <= {"C-FLOAT32", UNKNOWN} | PLAIN


class _Failed:
    def __init__(self, check: Any, status: str, code: str, slots: dict[str, Any]) -> None:
        self.check, self.status, self.code, self.slots = check, status, code, slots


@pytest.mark.parametrize("exercise", EXERCISES)
@pytest.mark.parametrize("seed", range(4))
def test_noise_is_not_named(exercise: str, seed: int) -> None:
    rng = np.random.default_rng(seed)

    def moved(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(moved, value))
        if isinstance(value, dict):
            return {key: moved(each) for key, each in value.items()}
        if isinstance(value, float | np.ndarray) and np.asarray(value).dtype.kind == "f":
            return value + rng.normal(size=np.shape(value)) / 50
        return value

    right = running.graders().everything
    outcomes, trace = at_the_desk(exercise, right)
    noisy = [
        Step(
            step.check,
            step.op,
            step.name,
            step.target,
            step.args,
            step.kwargs,
            type(step.reply)(moved(step.reply.value)),
        )
        for step in trace
    ]
    numbers = any(
        moved(step.reply.value) is not step.reply.value
        for step in trace
        if step.op in ("call", "method")
    )
    told = [_Failed(each.check, "failed", "C-VALUES", {}) for each in outcomes]
    finding = diagnose_from(DATA["exercises"][exercise]["mistakes"], noisy, told)
    assert finding is not None
    assert finding.codes == ((UNKNOWN,) if numbers else ("C-FLOAT32",))


# What is kept


def test_sketches_are_small() -> None:
    kept = {each: DATA["exercises"][each]["mistakes"] for each in EXERCISES}
    assert len(json.dumps(kept, separators=(",", ":"))) < LARGEST


def test_sketches_hold_no_code() -> None:
    text = json.dumps({each: DATA["exercises"][each]["mistakes"] for each in EXERCISES})
    assert not [word for word in ("def ", "lambda", "np.", "return", "import") if word in text]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_freezing_twice_gives_the_same_bytes(exercise: str) -> None:
    right = running.graders().everything
    _, trace = at_the_desk(exercise, right)
    one, other = (json.dumps(freeze(_bank(exercise), trace, right)) for _ in range(2))
    assert one == other
    assert json.loads(one)["functions"]


def test_nothing_is_kept_when_no_mistake_is_known() -> None:
    assert freeze(Bank("softmax", {}), [], {}) == {}


def test_directions_are_the_same_everywhere() -> None:
    assert directions(2).tolist() == DIRECTIONS_OF_TWO
    assert directions(7).shape == (2, 7)
    assert np.abs(directions(500)).max() < 1.0
    assert abs(np.corrcoef(directions(500))[0, 1]) < 0.2


@pytest.mark.parametrize(
    ("numbers", "exact"),
    [
        ([0.1] * 10, 1.0),
        ([1e16, 1.0, -1e16], 1.0),
        ([np.inf, 1.0], np.inf),
        ([1e308, 1e308], np.nan),
        ([np.inf, -np.inf], np.nan),
    ],
)
def test_a_sum_is_the_exact_one_in_every_version_of_python(
    numbers: list[float], exact: float
) -> None:
    assert repr(total(numbers)) == repr(exact)


@np.errstate(all="ignore")
def test_another_question_is_known_as_such_when_its_numbers_overflow() -> None:
    exercise = "project_qkv"
    bank, right = _bank(exercise), running.graders().everything
    chain, variant = next(iter(bank.variants(doubles=False)))
    outcomes, trace = at_the_desk(exercise, bank.namespace(chain, variant, right))
    signs = [1, -1, 1, -1]  # one array after the other: infinities of both signs
    large = [
        dataclasses.replace(
            step,
            args=tuple(
                sign * 1e308 * np.sign(directions(each.size)[-1]).reshape(each.shape)
                for sign, each in zip(signs, step.args, strict=True)
            ),
        )
        for step in trace
    ]
    kept = DATA["exercises"][exercise]["mistakes"]
    assert diagnose_from(kept, trace, outcomes) != diagnose_from(kept, large, outcomes)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.eye(3), np.eye(3)[::-1]),
        (np.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(3, 2)),
        (np.array([True, False]), np.array([1.0, 0.0])),
        (np.array([np.nan, 1.0]), np.array([1.0, np.nan])),
        (np.array([np.inf, 1.0]), np.array([-np.inf, 1.0])),
        ((np.ones(2), np.zeros(2)), (np.zeros(2), np.ones(2))),
        (Failure("ValueError"), Failure("TypeError")),
        (None, Failure("ValueError")),
        ("a", "b"),
        ({"a": 1.0}, {"b": 1.0}),
    ],
)
def test_sketches_differ_when_answers_do(one: Any, other: Any) -> None:
    assert not alike(sketch(one), sketch(other), slack_of(other, 1e-5))
    assert alike(sketch(one), sketch(one), 0.0)


@pytest.mark.parametrize("size", [1, 12, 200])
def test_sketches_are_alike_when_only_the_precision_differs(size: int) -> None:
    values = np.random.default_rng(size).normal(size=size)
    single = values.astype(np.float32).astype(np.float64)
    assert alike(sketch(values), sketch(single), slack_of(single, 1e-5))
    rounded = np.round(values, 3)
    assert not alike(sketch(values), sketch(rounded), slack_of(rounded, 1e-5))


@pytest.mark.parametrize("answer", [{}, [], (), "", object, [[1], [2, 3]], {"a": object}, 1j])
def test_any_answer_has_a_sketch(answer: Any) -> None:
    assert isinstance(sketch(answer)[0], str)
    assert slack_of(answer, 1e-5) >= 0
