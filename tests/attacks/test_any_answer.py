"""Whatever comes back, a grader and the diagnosis say something about it, and soon.

Each exercise is judged on a student that gives the same odd answer to every question. A worker
belongs to its student, so all of these can come from one.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from running import graders, seeded

from autograder.assess import assess
from autograder.bank import load_bank
from autograder.diagnose import diagnose
from autograder.exercise import Kit
from autograder.grade import run_checks
from autograder.judge import Judged
from autograder.student import Handle, Op, Reply, Student, Trouble


def nested(levels: int, core: Any) -> Any:
    for _ in range(levels):
        core = (core,)
    return core


KEYS = "weights_a weights_b difference entropy_a entropy_b divergence agreement distance".split()
ODD: dict[str, Any] = {
    "None": None,
    "True": True,
    "zero": 0,
    "minus one": -1,
    "huge whole number": 10**400,
    "nan": float("nan"),
    "inf": float("inf"),
    "empty text": "",
    "text": "0.5",
    "long text": "█" * 20_000,
    "lines": "\n" * 5000,
    "odd signs": "\u202e\ufeff\x00\x1b[31m",
    "empty tuple": (),
    "pair of None": (None, None),
    "pair of text": ("a", "b"),
    "pair of arrays": (np.zeros((3, 2)), np.zeros((3, 5))),
    "a long text among many": ("x" * 30_000, *("",) * 9_000),
    "a long text among numbers": ((1.0, "x" * 30_000), (2.0,) * 9_000),
    "ragged": ((1, 2), (3,)),
    "many": tuple(range(9000)),
    "deep": nested(15, 1),
    "handle": Handle(0),
    "pair of handles": (Handle(0), Handle(1)),
    "empty dict": {},
    "dict of None": dict.fromkeys(KEYS),
    "dict of text": dict.fromkeys(KEYS, "x"),
    "dict of handles": dict.fromkeys(KEYS, Handle(0)),
    "dict of odd arrays": dict.fromkeys(KEYS, np.full((2, 0, 3), 1.0)),
    "scalar array": np.array(1.0),
    "empty array": np.zeros((0,)),
    "16 dimensions": np.zeros((1,) * 16),
    "no rows": np.zeros((0, 5)),
    "rows without number": np.zeros((2**31 - 1, 0)),
    "pair of rows without number": (np.zeros((2**31 - 1, 0)), np.zeros((0, 2**31 - 1))),
    "nan array": np.full((3, 5), np.nan),
    "inf array": np.full((3, 5), np.inf),
    "largest numbers": np.full((3, 5), np.finfo(float).max),
    "bool array": np.ones((3, 5), bool),
    "small whole numbers": np.full((5, 5), -128, np.int8),
    "large whole numbers": np.full((4, 4), 2**64 - 1, np.uint64),
    "half precision": np.full((3, 5), 65504, np.float16),
    "large array": np.zeros((300, 400)),
    "raised": Trouble("raised", "ValueError", 3, "x.py"),
    "timeout": Trouble("timeout"),
    "died": Trouble("died", "signal"),
    "refused": Trouble("refused", "complex"),
    "missing": Trouble("missing"),
    "stub": Trouble("stub"),
}


class Stubborn(Student):
    """Gives one answer to everything."""

    def __init__(self, value: Any, *, objects: bool) -> None:
        super().__init__()
        self.value, self.objects = value, objects

    def ask(
        self, op: Op, name: str, target: int | None, args: Any, kwargs: Mapping[str, Any]
    ) -> Reply:
        if op in ("new", "set") and self.objects:
            return Reply(Handle(7) if op == "new" else None)
        changed = tuple(range(len(args)))
        return Reply(self.value, changed, "\x1b[31m<script>", True, 1e9)


@pytest.mark.parametrize("objects", [True, False], ids=["objects", "none"])
@pytest.mark.parametrize("what", ODD)
def test_an_odd_answer_is_judged_and_named(kit: Kit, what: str, objects: bool) -> None:
    for exercise, checks in graders().checks.items():
        if not objects and not any(n[0].isupper() for n in graders().reference[exercise]):
            continue
        start = time.monotonic()
        student = Stubborn(ODD[what], objects=objects)
        outcomes = run_checks(checks, student, graders().reference_student, seeded(1))
        judged = Judged(exercise, "attempted", tuple(outcomes), tuple(student.trace))
        bank = load_bank(kit.mistakes, exercise)
        found = assess(
            judged,
            lambda one, bank=bank: diagnose(bank, one.trace, graders().everything, one.outcomes),
            "en",
            (),
        )
        assert found.score < found.max_score
        assert len(found.checks) == len(checks)
        assert time.monotonic() - start < 5.0, exercise
