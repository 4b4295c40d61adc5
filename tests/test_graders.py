"""The graders judge right: full marks for right code in any style, one check for one weakness."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from running import ROOT, VARIANTS, checks_of, graders, kit, lost, namespace_of, run, variant

from autograder import messages
from autograder.student import LocalStudent, Op, Reply, Student, Trouble

POINTS = {
    "softmax": 8,
    "attention_scores": 8,
    "scaled_dot_product_attention": 10,
    "project_qkv": 6,
    "self_attention": 10,
    "ascii_heatmap": 8,
    "causal_mask": 6,
    "masked_attention": 12,
    "heads": 10,
    "multi_head_attention": 12,
    "compare_sentences": 10,
}
EXERCISES = tuple(POINTS)
ALL_VARIANTS = sorted(VARIANTS.glob("*/*.py"))
each_exercise = pytest.mark.parametrize("exercise", EXERCISES)


def test_points_when_summed() -> None:
    found = {e: sum(c.declared.points for c in checks_of(e)) for e in kit().ids}
    assert found == POINTS
    assert sum(found.values()) == 100


@each_exercise
def test_titles_when_a_learner_reads_them(exercise: str) -> None:
    titles = [check.title for check in checks_of(exercise)]
    assert len(set(titles)) == len(titles)
    for title in titles:
        assert len(title) <= 90, title
        assert title[0].isupper() or "_" in title.split()[0] or title.startswith("forward"), title
        assert not title.endswith("."), title
        assert not re.search(r"\b(wrong|should|must|fails?|error)\b", title), title


@each_exercise
def test_visible_checks_when_a_learner_starts(exercise: str) -> None:
    visible = [check for check in checks_of(exercise) if check.declared.visible]
    assert 2 <= len(visible) <= 4
    # Unequal lengths tell at her desk which of its sizes her code uses; the rest waits for grading.
    assert {check.declared.robustness for check in visible} <= {None, "C-SQUARE"}
    assert sum(check.declared.robustness is None for check in visible) >= 2
    assert all(set(check.declared.needs) <= {v.name for v in visible} for check in visible)


@each_exercise
def test_robustness_when_more_than_one_check_could_ask(exercise: str) -> None:
    asked = Counter(c.declared.robustness for c in checks_of(exercise) if c.declared.robustness)
    assert all(count == 1 for count in asked.values()), asked


def test_codes_when_a_check_raises_them() -> None:
    for path in kit().graders.glob("test_*.py"):
        for code in re.findall(r"\"([A-Z]+[A-Z0-9]*-[A-Z0-9x-]+)\"", path.read_text("utf-8")):
            assert messages.entry(code), f"{path.name} says {code}, which has no sentence"


@each_exercise
def test_reference_when_200_seeds_are_drawn(exercise: str) -> None:
    space = graders().everything
    for seed in range(200):
        assert lost(run(exercise, space, seed)) == {}, f"seed {seed}"


@pytest.mark.parametrize("path", ALL_VARIANTS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_right_variant_when_graded(path: Path) -> None:
    space = variant(path)
    for seed in range(6):
        assert lost(run(path.parent.name, space, seed)) == {}, f"seed {seed}"


def test_variants_when_counted() -> None:
    count = Counter(path.parent.name for path in ALL_VARIANTS)
    assert set(count) == set(EXERCISES)
    assert min(count.values()) >= 7
    assert sum(count.values()) >= 80


@each_exercise
def test_stub_when_graded(exercise: str) -> None:
    class Stub(Student):
        def ask(self, *_: Any) -> Reply:
            return Reply(Trouble("stub"))

    outcomes = run(exercise, Stub())
    assert sum(outcome.score for outcome in outcomes) == 0


# One weakness, one check


ROBUSTNESS_PATH = ROOT / "tests" / "one_weakness"


@pytest.mark.parametrize(
    "path", sorted(ROBUSTNESS_PATH.glob("*/*.py")), ids=lambda p: f"{p.parent.name}-{p.stem}"
)
def test_single_weakness_when_graded(path: Path) -> None:
    exercise, source = path.parent.name, path.read_text("utf-8")
    wanted = re.search(r"^# loses only: (\w+)$", source, re.M)
    assert wanted is not None, "say which check it loses: # loses only: NAME"
    space = namespace_of(exercise, source, str(path))
    for seed in range(6):
        assert set(lost(run(exercise, space, seed))) == {wanted[1]}, f"seed {seed}"


@each_exercise
def test_robustness_checks_when_proved_by_a_weak_solution(exercise: str) -> None:
    proved = {
        found[1]
        for path in (ROBUSTNESS_PATH / exercise).glob("*.py")
        if (found := re.search(r"^# loses only: (\w+)$", path.read_text("utf-8"), re.M))
    }
    declared = {check.name for check in checks_of(exercise) if check.declared.robustness}
    assert declared <= proved, f"no weak solution proves {sorted(declared - proved)}"


# Any answer at all


ODD: Mapping[str, Any] = {
    "none": None,
    "true": True,
    "false": False,
    "zero": 0,
    "minus_one": -1,
    "huge": 10**400,
    "float": 0.5,
    "nan": float("nan"),
    "inf": float("inf"),
    "empty_text": "",
    "text": "0.5 0.5",
    "lines": "a b c\n" * 5,
    "empty_tuple": (),
    "one_in_tuple": (np.eye(5),),
    "two_nones": (None, None),
    "two_texts": ("a", "b"),
    "two_scalars": (1.0, 2.0),
    "two_tables": (np.eye(4), np.eye(4)),
    "two_nan": (np.full((4, 2), np.nan), np.full((4, 4), np.nan)),
    "two_inf": (np.full((4, 2), np.inf), np.full((4, 4), -np.inf)),
    "swapped": (np.eye(4), np.zeros((4, 2))),
    "three": (np.zeros((5, 3)), np.zeros((5, 3)), np.zeros((5, 2))),
    "three_odd": (None, "x", {}),
    "ragged": ((1.0, 2.0), (3.0,)),
    "mixed": (1, "a", None, (2.0, {}), np.eye(2)),
    "deep": (((((((1.0,),),),),),),),
    "dict": {"weights": np.eye(5)},
    "dict_empty": {},
    "dict_right_keys": dict.fromkeys(
        "weights_a weights_b difference entropy_a entropy_b divergence agreement distance".split()
    ),
    "scalar_array": np.array(0.5),
    "bool_array": np.ones((5, 5), dtype=bool),
    "int_array": np.eye(5, dtype=np.int8),
    "uint_huge": np.full((5, 5), 2**63, dtype=np.uint64),
    "half": np.ones((3, 5), dtype=np.float16),
    "long": np.full((4, 4), np.finfo(np.longdouble).max, dtype=np.longdouble),
    "empty_array": np.zeros((0,)),
    "no_rows": np.zeros((0, 5)),
    "no_columns": np.zeros((5, 0)),
    "nan_array": np.full((4, 4), np.nan),
    "inf_array": np.array([[np.inf, -np.inf], [np.inf, np.inf]]),
    "mixed_inf": np.where(np.eye(5) > 0, np.inf, -np.inf),
    "third_each": np.full((3, 5), 0.2),
    "many_axes": np.zeros((1,) * 20),
    "heads": np.zeros((3, 5, 4)),
    "object": object(),
    "function": print,
    "complex": 1j,
    "strings": np.array(["a", "b"]),
}


class Answers(LocalStudent):
    """Gives one and the same answer to every question, whatever it is about."""

    def __init__(self, answer: Any, classes: bool) -> None:
        super().__init__({})
        self.answer, self.classes = answer, classes

    def ask(
        self,
        op: Op,
        name: str,
        target: int | None,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Reply:
        if op == "set":
            return Reply(None)
        if op == "new" and self.classes:
            return Reply(self._keep(object()))
        self.namespace = {name: lambda *_, **__: self.answer}
        return super().ask("call", name, None, args, kwargs)


@each_exercise
@pytest.mark.parametrize("classes", [False, True], ids=["anything", "classes_are_classes"])
@pytest.mark.parametrize("odd", ODD)
def test_any_answer_when_it_makes_no_sense(odd: str, classes: bool, exercise: str) -> None:
    # run_check raises KitFault for whatever leaves a check that is neither Unmet nor Trouble.
    outcomes = run(exercise, Answers(ODD[odd], classes))
    assert not all(outcome.passed for outcome in outcomes)


class Corrupted(LocalStudent):
    """The reference, but the k-th answer is an odd one: so that later lines of a check run too."""

    def __init__(self, namespace: Mapping[str, Any], answer: Any, turn: int) -> None:
        super().__init__(namespace)
        self.answer, self.turn, self.asked = answer, turn, 0

    def ask(
        self,
        op: Op,
        name: str,
        target: int | None,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Reply:
        self.asked += 1
        if self.asked != self.turn or op == "set":
            return super().ask(op, name, target, args, kwargs)
        own, self.namespace = self.namespace, {name: lambda *_, **__: self.answer}
        try:
            return super().ask("call", name, None, (), {})
        finally:
            self.namespace = own


@each_exercise
def test_any_answer_when_one_alone_makes_no_sense(exercise: str) -> None:
    space = graders().everything
    student = LocalStudent(space)
    run(exercise, student)
    turns = [t for t, step in enumerate(student.trace, 1) if step.op != "set"]
    for number, answer in enumerate(ODD.values()):
        for turn in turns[number % 9 :: 9]:
            run(exercise, Corrupted(space, answer, turn))  # KitFault would end the test


# What a check may look like


@each_exercise
def test_random_numbers_when_frozen(exercise: str) -> None:
    """A check takes all its chance from `rng`'s methods, so that it can be frozen."""
    source = (kit().graders / f"test_{exercise}.py").read_text("utf-8")
    assert "np.random" not in source
    assert "default_rng" not in source


@each_exercise
def test_a_check_when_run_twice_with_one_seed(exercise: str) -> None:
    def asked() -> list[Any]:
        student = LocalStudent(graders().everything)
        run(exercise, student, 7)
        return [(step.check, step.op, step.name, repr(step.args)) for step in student.trace]

    assert asked() == asked()
