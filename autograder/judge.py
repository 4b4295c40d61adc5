"""Judge one submission: ask its worker, follow earlier mistakes through, name what went amiss.

Here a worker's answers become outcomes, exercise by exercise. What is read from disk, what is
written and how many are judged at once stand elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from autograder.ahead import passing
from autograder.check import Check
from autograder.grade import Graders, KitFault, Outcome, run_checks, score_of
from autograder.pupil import Files, Names, WorkerStudent
from autograder.sandbox import Sandbox
from autograder.session import Forbidden
from autograder.student import Step


@dataclass(frozen=True)
class Judged:
    """One exercise of one submission.

    Attributes
    ----------
    exercise : str
    state : str
        ``attempted``, ``stub`` (nothing written yet) or ``missing`` (not there).
    outcomes : tuple of Outcome
        One for each declared check, in order.
    trace : tuple of Step
        What was asked in the run that counts.
    followed : bool
        Whether earlier functions were given, so that their mistakes cost once.
    """

    exercise: str
    state: str
    outcomes: tuple[Outcome, ...]
    trace: tuple[Step, ...] = ()
    followed: bool = False

    @property
    def passed(self) -> bool:
        return all(outcome.passed for outcome in self.outcomes)


@dataclass
class Judge:
    """Judges one submission, exercise by exercise in course order.

    Attributes
    ----------
    rng_for : callable
        A check to its seeded generator.
    given : dict
        Exercise to runnable source: what a follow-through worker is given.
    forbidden : dict
        Exercise to what it is to be solved without.
    """

    sandbox: Sandbox
    graders: Graders
    names: Names
    files: Files
    rng_for: Callable[[Check], np.random.Generator]
    given: Mapping[str, str] = field(default_factory=dict)
    forbidden: Forbidden = field(default_factory=dict)
    _follower: tuple[tuple[str, ...], WorkerStudent] | None = None

    def __post_init__(self) -> None:
        self._right: dict[str, tuple[Outcome, ...]] = {}
        self.student = WorkerStudent(
            self.sandbox,
            self.files,
            self.names,
            seconds=self.graders.seconds,
            forbidden=self.forbidden,
        )

    @property
    def _in_steps(self) -> bool:
        """Whether a grade cell sees what the cells above it made, not what later ones do to it."""
        return len(self.graders.checks) > 1 and self.student.is_notebook

    def close(self) -> None:
        """End every worker of this submission."""
        self.student.close()
        if self._follower is not None:
            self._follower[1].close()

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def judge(self) -> list[Judged]:
        """Judge every exercise that the graders hold."""
        judged: list[Judged] = []
        lacking: list[str] = []
        # All of it before the first question: what is printed later could tell hidden inputs.
        self.student.prepare_all(list(self.graders.checks))
        for exercise in self.graders.checks:
            self.student.prepare(exercise)
        if self._in_steps:
            self.student.rewind()
        else:
            self._right = self._passing(self.student, self.graders.checks)
        for exercise in self.graders.checks:
            found = self.exercise(exercise, lacking)
            if not found.passed:
                lacking.append(exercise)
            judged.append(found)
        return judged

    def _passing(
        self, student: WorkerStudent, exercises: Iterable[str]
    ) -> dict[str, tuple[Outcome, ...]]:
        """Find, all at once, what is right: it need not be asked again.

        What is wrong may have left something behind: who is asked again begins anew.
        """
        if not self.graders.at_once:
            return {}
        tried = {
            each: self.graders.checks[each]
            for each in exercises
            if self.state(each) == "attempted" and student.prepare(each) is None
        }
        right = passing(
            tried, student.ask_all, self.graders.everything, self.rng_for, student.objects
        )
        if len(right) < len(tried):
            student.rewind()
        return right

    def state(self, exercise: str) -> str:
        """Say whether the exercise is ``attempted``, a ``stub`` or ``missing``."""
        wanted = dict(self.names)[exercise]
        states = {self.student.definitions.get(name, "missing") for name in wanted}
        if "attempted" in states or self.student.report.broken(exercise):
            return "attempted"
        return "stub" if "stub" in states else "missing"

    def exercise(self, exercise: str, lacking: Sequence[str]) -> Judged:
        """Judge one exercise; `lacking` names the earlier ones that do not pass."""
        checks = self.graders.checks[exercise]
        state = self.state(exercise)
        if state != "attempted":
            code = "C-STUB" if state == "stub" else "C-NAME"
            slots = {"name": dict(self.names)[exercise][0], "file": f"{exercise}.py", "line": None}
            return Judged(
                exercise, state, tuple(Outcome(c, "skipped", code, slots) for c in checks)
            )
        if self._in_steps:
            self._right = self._passing(self.student, [exercise])
        if exercise in self._right:
            return Judged(exercise, state, self._right[exercise])
        alone = self._run(self.student, exercise)
        if not lacking or alone.passed or not self.given:
            return alone
        if self.sandbox.level in ("L0", "L1"):  # a worker that can open files is given no solution
            return alone
        student = self.given_student(tuple(lacking), exercise)
        if right := self._passing(student, [exercise]):
            return Judged(exercise, state, right[exercise], followed=True)
        return _better(alone, _without_places(self._run(student, exercise)))

    def _run(self, student: WorkerStudent, exercise: str) -> Judged:
        start = len(student.trace)
        student.prepare(exercise)
        checks = self.graders.checks[exercise]
        outcomes = run_checks(checks, student, self.graders.solutions, self.rng_for)
        if [outcome.check for outcome in outcomes] != list(checks):
            raise KitFault(f"not every check of {exercise} has an outcome")
        return Judged(exercise, "attempted", tuple(outcomes), tuple(student.trace[start:]))

    def given_student(self, lacking: tuple[str, ...], exercise: str) -> WorkerStudent:
        """Give the worker in which the functions of the `lacking` exercises are given ones.

        It judges `exercise`, which comes after all of them.
        """
        if self._follower is not None and self._follower[0] != lacking:
            self._follower[1].close()
            self._follower = None
        if self._follower is None:
            self._follower = (lacking, self._open_with_given(lacking))
        student = self._follower[1]
        student.prepare(exercise)
        return student

    def _open_with_given(self, lacking: tuple[str, ...]) -> WorkerStudent:
        student = WorkerStudent(
            self.sandbox,
            self.student.files,
            self.names,
            given={name: self.given[name] for name in lacking},
            seconds=self.graders.seconds,
            deadline=self.student.deadline,
            forbidden=self.forbidden,
        )
        student.shortcuts = self.student.shortcuts  # of this submission, whichever worker told
        return student


def _without_places(run: Judged) -> Judged:
    """Leave out where errors were: code beside a given solution could spell it in line numbers."""
    outcomes = (replace(o, slots={**o.slots, "line": None, "file": None}) for o in run.outcomes)
    return replace(run, outcomes=tuple(outcomes))


def _better(alone: Judged, followed: Judged) -> Judged:
    """Take the better run of each check; the trace is that of the run with more points.

    So is the outcome of a check that got the same in both: else it would be told as skipped for
    want of one that passed.
    """
    gained, had = (score_of(run.outcomes) for run in (followed, alone))
    best = followed if gained > had else alone
    outcomes = tuple(
        max((first, second), key=lambda outcome: outcome.score)
        for first, second in zip(
            best.outcomes, (alone if best is followed else followed).outcomes, strict=True
        )
    )
    if score_of(outcomes) <= had:
        if gained < had:
            return alone
        # No point is gained, but what is amiss here stands by itself where given ones ran.
        return replace(alone, outcomes=followed.outcomes, trace=followed.trace)
    return Judged(alone.exercise, alone.state, outcomes, best.trace, followed=True)
