"""Runs an exercise's checks on code in this process: for tests of the graders.

Only trusted code goes through here: the solutions, right variants, known mistakes.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from autograder.check import Check
from autograder.exercise import Kit, read_kit, reference
from autograder.grade import Graders, Outcome, load_checks, prove, run_checks
from autograder.student import LocalStudent, Student

ROOT = Path(__file__).resolve().parent.parent
VARIANTS = ROOT / "tests" / "right_variants"


@functools.cache
def kit() -> Kit:
    """Give the kit that these tests belong to."""
    return read_kit(ROOT)


@functools.cache
def graders() -> Graders:
    """Give the kit's graders, proved on the solutions."""
    return prove(load_checks(kit().graders, kit().ids), reference(kit()))


def checks_of(exercise: str) -> tuple[Check, ...]:
    """Give the checks of one exercise."""
    return graders().checks[exercise]


def namespace_of(exercise: str, source: str, name: str = "variant") -> dict[str, Any]:
    """Run a module's text, in which other exercises can be imported; give all graded names.

    Parameters
    ----------
    exercise : str
        The exercise that the text answers; its names replace those of the solution.
    source : str
    name : str
        What a traceback calls the text.
    """
    module = ModuleType(exercise)
    others = {each: _as_module(each, space) for each, space in graders().reference.items()} | {
        exercise: module
    }
    before = {each: sys.modules.get(each) for each in others}
    sys.modules.update(others)
    try:
        exec(compile(source, name, "exec"), module.__dict__)
    finally:
        for each, found in before.items():
            if found is None:
                del sys.modules[each]
            else:
                sys.modules[each] = found
    return graders().everything | vars(module)


def _as_module(name: str, space: Mapping[str, Any]) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(space)
    return module


def variant(path: Path) -> dict[str, Any]:
    """Give the names of one right variant, by its path."""
    return namespace_of(path.parent.name, path.read_text("utf-8"), str(path))


def seeded(seed: int) -> Callable[[Check], np.random.Generator]:
    """Give each check its generator for one seed."""
    return lambda check: np.random.default_rng([seed, *check.name.encode()])


def run(exercise: str, student: Student | Mapping[str, Any], seed: int = 0) -> list[Outcome]:
    """Run all checks of one exercise on a student, or on a namespace."""
    asked = student if isinstance(student, Student) else LocalStudent(student)
    return run_checks(checks_of(exercise), asked, graders().solutions, seeded(seed))


def lost(outcomes: list[Outcome]) -> dict[str, str | None]:
    """Give what did not pass, by check, with its code."""
    return {each.check.name: each.code for each in outcomes if not each.passed}
