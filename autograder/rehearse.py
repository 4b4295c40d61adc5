"""Act known mistakes: what their code would be told, without a file of any student.

Known wrong code is the kit's own and runs in this process; it is judged and told about as a
student's would be. For previews, and for classes that are made up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from autograder.asked import Stand, questions
from autograder.assess import assess
from autograder.bank import Bank, load_bank
from autograder.chain import RIGHT, Chain, Mistake, Variant
from autograder.diagnose import diagnose, right_object
from autograder.exercise import Kit, reference
from autograder.finding import Finding
from autograder.grade import Graders, load_checks, prove, run_checks, seeded
from autograder.judge import Judged
from autograder.messages import Lang
from autograder.results import ExerciseResult
from autograder.student import LocalStudent, Step

LARGEST_TABLE, LARGEST_TEXT = 42, 600
SECRET = b"a rehearsal: anybody may know these numbers"


@dataclass(frozen=True)
class Act:
    """One known mistake, where it can be made.

    Attributes
    ----------
    exercise, function : str
    mistake : Mistake
    """

    exercise: str
    chain: Chain
    mistake: Mistake

    @property
    def variant(self) -> Variant:
        return frozenset({self.mistake})


@dataclass(frozen=True)
class Contrast:
    """The same input, answered right and as a mistake answers it: a picture for a lecture.

    Attributes
    ----------
    function : str
    right, wrong : list of list of float, or str
        Two tables of numbers, not always of the same size; or two texts.
    """

    function: str
    right: list[list[float]] | str
    wrong: list[list[float]] | str


@dataclass
class Stage:
    """A kit's graders and mistakes, ready to be acted."""

    kit: Kit
    _acted: dict[tuple[str, Variant, Lang, bool], ExerciseResult] = field(default_factory=dict)
    _shown: dict[tuple[str, str | None], Contrast | None] = field(default_factory=dict)
    _traces: dict[str, Sequence[Step]] = field(default_factory=dict)

    @cached_property
    def graders(self) -> Graders:
        return prove(load_checks(self.kit.graders, self.kit.ids), reference(self.kit))

    @cached_property
    def banks(self) -> Mapping[str, Bank]:
        return {each: load_bank(self.kit.mistakes, each) for each in self.kit.ids}

    def acts(self, code: str | None = None) -> Iterator[Act]:
        """Give every known mistake in course order, or those of one code."""
        for exercise, bank in self.banks.items():
            for chain in bank.chains.values():
                for mistake in chain.mistakes:
                    if code in (None, mistake.code):
                        yield Act(exercise, chain, mistake)

    def judged(self, exercise: str, names: Mapping[str, Any], seed: str = "preview") -> Judged:
        """Judge some code's names as one exercise of a hand-in."""
        student = LocalStudent(names)
        outcomes = run_checks(
            self.graders.checks[exercise],
            student,
            self.graders.solutions,
            seeded(SECRET, seed),
        )
        return Judged(exercise, "attempted", tuple(outcomes), tuple(student.trace))

    def judged_act(self, act: Act) -> Judged:
        """Judge one mistake, all other functions being right."""
        names = self.banks[act.exercise].namespace(act.chain, act.variant, self.right)
        return self.judged(act.exercise, names)

    @cached_property
    def right(self) -> Mapping[str, Any]:
        """All graded names of the solutions."""
        return self.graders.everything

    def diagnose(self, judged: Judged) -> Finding | None:
        """Name what a judged exercise shows, as grading does."""
        bank = self.banks[judged.exercise]
        return diagnose(bank, judged.trace, self.right, judged.outcomes)

    def result(self, act: Act, lang: Lang = "en", *, graded: bool = True) -> ExerciseResult:
        """Give what a student would be told of one mistake."""
        key = (act.exercise, act.variant, lang, graded)
        if key not in self._acted:
            judged = self.judged_act(act)
            self._acted[key] = assess(judged, self.diagnose, lang, (), graded=graded)
        return self._acted[key]

    def contrast(self, code: str, exercise: str | None = None) -> Contrast | None:
        """Give what shows a mistake best: one question, answered right and as it answers.

        Attention weights before other tables, small ones before large ones.
        """
        key = (code, exercise)
        if key not in self._shown:
            found = [
                each
                for act in self.acts(code)
                if exercise in (None, act.exercise)
                for each in self._contrasts(act)
            ]
            self._shown[key] = min(found, key=_plainness, default=None)
        return self._shown[key]

    def _contrasts(self, act: Act) -> Iterator[Contrast]:
        if act.mistake.whole is not None:
            return
        for question in questions(act.chain, self._trace(act.exercise), self._stand) or []:
            with np.errstate(all="ignore"):
                answers = [act.chain.run(each, question.given, {}) for each in (RIGHT, act.variant)]
            for right, wrong in zip(*map(_parts, answers), strict=False):
                if _said(right) != _said(wrong) and _small(right) and _small(wrong):
                    yield Contrast(act.chain.name, right, wrong)

    def _trace(self, exercise: str) -> Sequence[Step]:
        if exercise not in self._traces:
            self._traces[exercise] = self.judged(exercise, self.right).trace
        return self._traces[exercise]

    @cached_property
    def _stand(self) -> Stand:
        return right_object(self.right)


Table: TypeAlias = "list[list[float]] | str"


def _parts(answer: Any) -> list[Table]:
    """Give what can be shown of an answer, one item a part of it."""
    return [_part(part) for part in (answer if isinstance(answer, tuple) else (answer,))]


def _part(part: Any) -> Table:
    if isinstance(part, str):
        return part
    if not isinstance(part, np.ndarray | float | int) or isinstance(part, bool):
        return ""
    table = np.asarray(part)
    if table.dtype.kind not in "biuf" or not table.size:
        return ""
    while table.ndim > 2:
        table = table[0]
    return [[float(cell) for cell in row] for row in np.atleast_2d(table)]


def _said(table: Table) -> Any:
    if isinstance(table, str):
        return table
    return [[f"{cell:.2f}" for cell in row] for row in table]


def _small(table: Table) -> bool:
    if isinstance(table, str):
        return 0 < len(table) <= LARGEST_TEXT
    return len(table) * len(table[0]) <= LARGEST_TABLE


def _plainness(found: Contrast) -> tuple[bool, bool, bool, int]:
    """Order contrasts: finite numbers, weights, at least two rows and columns, small."""
    right = found.right
    if isinstance(right, str):
        return (False, False, False, len(right))
    cells = [cell for row in right for cell in row]
    finite = all(map(math.isfinite, cells))
    weights = all(0 <= c <= 1 for c in cells) and all(abs(sum(row) - 1) < 1e-6 for row in right)
    return (not finite, not weights, min(len(right), len(right[0])) < 2, abs(len(cells) - 9))
