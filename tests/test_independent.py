"""Mistakes by someone who had not seen the kit: each costs points, and is told truly."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import running

from autograder.assess import Told, tell
from autograder.bank import load_bank
from autograder.diagnose import diagnose
from autograder.judge import Judged
from autograder.student import LocalStudent

FOLDER = Path(__file__).parent / "independent"
EXPECTED: dict[str, Any] = tomllib.loads((FOLDER / "expected.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def told() -> Mapping[str, Told]:
    """Judge them all as one class, here: their code is known to be harmless."""
    banks = {each: load_bank(running.kit().mistakes, each) for each in running.kit().ids}
    right = running.graders().everything
    found = {}
    for name, each in EXPECTED.items():
        exercise = each["exercise"]
        source = (FOLDER / "wrong" / name / f"{exercise}.py").read_text("utf-8")
        student = LocalStudent(running.namespace_of(exercise, source))
        outcomes = tuple(running.run(exercise, student))
        judged = Judged(exercise, "attempted", outcomes, tuple(student.trace))
        bank = banks[exercise]
        found[name] = tell(judged, lambda j, b=bank: diagnose(b, j.trace, right, j.outcomes))
    return found


def test_each_hand_in_stands_in_the_table() -> None:
    files = {path.parent.name: path.stem for path in FOLDER.glob("wrong/*/*.py")}
    assert files == {name: each["exercise"] for name, each in EXPECTED.items()}


def test_each_mistake_costs_points(told: Mapping[str, Told]) -> None:
    full = {name for name, each in told.items() if not each.codes}
    assert full == {name for name, each in EXPECTED.items() if each.get("passes")}


def test_each_mistake_is_told_truly(told: Mapping[str, Told]) -> None:
    first = {name: each.codes[0] for name, each in told.items() if each.codes}
    other = {name: code for name, code in first.items() if code not in EXPECTED[name]["finding"]}
    assert other == {}


def test_few_mistakes_are_told_vaguely() -> None:
    assert sum("open" in each for each in EXPECTED.values()) <= len(EXPECTED) // 12
