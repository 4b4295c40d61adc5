"""Load the graders and run their checks against whoever answers: the lean loop.

The loop calls each check directly, without pytest's protocol around it. It tells three owners
of a failure apart: the student's code (`Trouble`), an unmet expectation (`expect.Unmet`), and
the kit itself (`KitFault`), which stops everything. It knows nothing of processes and files of
students.
"""

from __future__ import annotations

import functools
import hmac
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from autograder import expect
from autograder.check import Check, check_of
from autograder.oracle import Reference
from autograder.sandbox import SandboxFault
from autograder.student import LocalStudent, Student, Trouble

Checks = Mapping[str, tuple[Check, ...]]

STATUS_OF_TROUBLE = {
    "raised": "error",
    "died": "error",
    "timeout": "timeout",
    "stub": "failed",
    "missing": "failed",
    "refused": "failed",
}
CODE_OF_TROUBLE = {
    "raised": "C-RAISED",
    "died": "C-DIED",
    "timeout": "C-TIMEOUT",
    "stub": "C-STUB",
    "missing": "C-NAME",
    "refused": "C-REFUSED",
}


class KitFault(Exception):
    """The kit itself cannot judge: no score may be written. The message names the part."""


@dataclass(frozen=True)
class Outcome:
    """What one check found.

    Attributes
    ----------
    check : Check
    status : str
        ``passed failed error timeout skipped``.
    code : str or None
        The sentence's code; None where it passed.
    slots : dict
        What fills the sentence.
    trouble : Trouble or None
        The student's own failure, where that is what happened.
    """

    check: Check
    status: str
    code: str | None = None
    slots: Mapping[str, Any] = field(default_factory=dict)
    trouble: Trouble | None = None

    @property
    def passed(self) -> bool:
        return self.status == "passed"

    @property
    def score(self) -> float:
        return self.check.declared.points if self.passed else 0.0


def score_of(outcomes: Iterable[Outcome]) -> float:
    """Give the points that were got together, rounded alike by every Python."""
    return math.fsum(outcome.score for outcome in outcomes)


def load_checks(
    folder: Path, exercises: Sequence[str], texts: Mapping[str, str] | None = None
) -> dict[str, tuple[Check, ...]]:
    """Load ``test_<exercise>.py`` of each exercise and give its checks in file order.

    Parameters
    ----------
    folder : Path
    exercises : sequence of str
    texts : dict, optional
        File name to text: where given, nothing is read from the disk.

    Raises
    ------
    KitFault
        Where a grader is missing, does not load, holds no check, gives a check no points or
        needs a check that is not there.
    """
    paths = {exercise: folder / f"test_{exercise}.py" for exercise in exercises}
    if texts is None:
        texts = {path.name: path.read_text("utf-8") for path in paths.values() if path.is_file()}
    return {exercise: _load(path, exercise, texts) for exercise, path in paths.items()}


def _load(path: Path, exercise: str, texts: Mapping[str, str]) -> tuple[Check, ...]:
    if path.name not in texts:
        raise KitFault(f"{path.name} is missing: exercise {exercise} has no grader")
    module = _module(path, texts[path.name])
    functions = {
        name: value
        for name, value in vars(module).items()
        if name.startswith("test_") and callable(value)
    }
    try:
        checks = tuple(check_of(exercise, name, value) for name, value in functions.items())
    except ValueError as error:
        raise KitFault(f"{path.name}: {error}") from error
    for name, function in functions.items():
        if getattr(function, "pytestmark", None):
            raise KitFault(f"{path.name}: {name} carries a pytest mark; checks take none")
    _validate(path.name, checks)
    return checks


def _module(path: Path, text: str) -> ModuleType:
    module = ModuleType(f"_attn_grader_{path.stem}")
    module.__file__ = str(path)
    try:
        exec(compile(text, str(path), "exec"), vars(module))
    except Exception as error:
        raise KitFault(f"{path.name} does not load: {type(error).__name__}: {error}") from error
    return module


def _validate(name: str, checks: tuple[Check, ...]) -> None:
    if not checks:
        raise KitFault(f"{name} holds no check")
    known: set[str] = set()
    for check in checks:
        if check.declared.points <= 0:
            raise KitFault(f"{name}: {check.name} has no @points")
        for need in check.declared.needs:
            if need.removeprefix("test_") not in known:
                raise KitFault(f"{name}: {check.name} needs {need}, which no check before it is")
        known.add(check.name)


def seeded(secret: bytes, submission: str) -> Callable[[Check], np.random.Generator]:
    """Give each check of one submission its own generator.

    Two submissions never get the same numbers, a regrade does, and no check moves another's.
    """

    def generator(check: Check) -> np.random.Generator:
        text = "\0".join((check.exercise, check.name, submission))
        digest = hmac.digest(secret, text.encode("utf-8", "surrogatepass"), "sha256")
        return np.random.Generator(np.random.PCG64(_seed()(digest)))

    return generator


@functools.cache
def _seed() -> Any:
    """Give what turns a digest into the state of a generator: it is spread already.

    NumPy spreads every seed once more, which takes longer than most checks draw. Its generators are
    loaded here and not before: a self-check draws nothing.
    """
    from numpy.random.bit_generator import ISeedSequence

    class Digest(ISeedSequence):
        def __init__(self, digest: bytes) -> None:
            self._words = np.frombuffer(digest, np.uint64)

        def generate_state(self, n_words: int, dtype: Any = np.uint64) -> Any:
            if n_words != len(self._words) or np.dtype(dtype) != np.uint64:
                raise ValueError("a digest seeds PCG64 only")
            return self._words

    return Digest


def run_check(
    check: Check,
    student: Student,
    reference: Student | Reference,
    rng: np.random.Generator | Any,
) -> Outcome:
    """Run one check; whoever calls this keeps NumPy's warnings quiet, once for all checks.

    Raises
    ------
    KitFault
        Where the check or the reference itself fails, whatever the student returned.
    """
    student.check = check.name
    fixtures = {"student": student, "reference": reference, "rng": rng}
    try:
        check.function(**{name: fixtures[name] for name in check.fixtures})
    except expect.Unmet as unmet:
        return Outcome(check, "failed", unmet.code, unmet.slots)
    except Trouble as trouble:
        if trouble is not student.last.value:
            raise KitFault(
                f"the reference has trouble in {check.exercise}.{check.name}: {trouble.args}"
            ) from trouble
        return Outcome(
            check,
            STATUS_OF_TROUBLE[trouble.kind],
            CODE_OF_TROUBLE[trouble.kind],
            trouble_slots(trouble, student),
            trouble,
        )
    except SandboxFault:
        raise
    except Exception as error:
        raise KitFault(
            f"the grader of {check.exercise} fails in {check.name}: {type(error).__name__}: {error}"
        ) from error
    return Outcome(check, "passed")


def trouble_slots(trouble: Trouble, student: Student) -> dict[str, Any]:
    """Give what the sentence about a trouble may say: nothing that came from a hidden probe."""
    step = student.trace[-1] if student.trace else None
    return {
        "name": step.name if step else "",
        "error": trouble.detail,
        "got": trouble.detail,
        "line": trouble.line,
        "file": trouble.file,
        "seconds": student.last.seconds if trouble.kind == "timeout" else None,
    }


@np.errstate(all="ignore")  # a student's numbers may be anything
def run_checks(
    checks: Iterable[Check],
    student: Student,
    reference: Callable[[], Student | Reference],
    rng_for: Callable[[Check], Any],
) -> list[Outcome]:
    """Run checks in order; one whose needs have not passed is skipped, not failed twice."""
    outcomes: dict[str, Outcome] = {}
    for check in checks:
        unmet = [
            need
            for need in (each.removeprefix("test_") for each in check.declared.needs)
            if need in outcomes and not outcomes[need].passed
        ]
        if unmet:
            title = outcomes[unmet[0]].check.title
            outcomes[check.name] = Outcome(check, "skipped", "C-NEEDS", {"title": title})
        else:
            outcomes[check.name] = run_check(check, student, reference(), rng_for(check))
    return list(outcomes.values())


@dataclass(frozen=True)
class Graders:
    """All that judging needs, proved once before it judges anybody.

    Attributes
    ----------
    checks : dict
        Exercise to its checks.
    reference : dict
        Exercise to the namespace of its solution.
    seconds : dict
        Graded name to the longest time that the reference took for one call, in seconds.
    """

    checks: Checks
    reference: Mapping[str, Mapping[str, Any]]
    seconds: Mapping[str, float]

    def reference_student(self) -> LocalStudent:
        """Give a fresh student that answers as the solutions do, and whose answers are recorded."""
        return LocalStudent(self.everything, listens=False)

    @property
    def at_once(self) -> bool:
        """Whether several checks may be under way at the same time."""
        return True

    def solutions(self) -> Student | Reference:
        """Give what a check compares with."""
        return Reference(self.everything)

    @functools.cached_property
    def everything(self) -> dict[str, Any]:
        """All graded names of all exercises in one namespace."""
        return {name: value for space in self.reference.values() for name, value in space.items()}


def prove(checks: Checks, reference: Mapping[str, Mapping[str, Any]]) -> Graders:
    """Run every check on the reference, and give graders that may judge.

    Raises
    ------
    KitFault
        Where the reference itself does not get full marks: then nobody is judged.
    """
    graders = Graders(checks, reference, {})
    seconds: dict[str, float] = {}
    for exercise, its_checks in checks.items():
        student = graders.reference_student()
        rng_for = seeded(b"proof", "reference")
        for outcome in run_checks(its_checks, student, graders.solutions, rng_for):
            if not outcome.passed:
                raise KitFault(
                    f"the reference itself does not pass {exercise}.{outcome.check.name}"
                    f" ({outcome.code}): nobody is judged by it"
                )
        for step in student.trace:
            seconds[step.name] = max(seconds.get(step.name, 0.0), step.reply.seconds)
    return Graders(checks, reference, seconds)
