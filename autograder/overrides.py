"""Marks that an instructor sets by hand: a small table in, results with these marks out.

Each line names a hand-in, a check and a reason; what the grader found stays beside it. A table is
taken whole or not at all.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.results import (
    CheckResult,
    ExerciseResult,
    Results,
    SubmissionResult,
    exercise_result,
    graded,
)

COLUMNS = ("id", "check", "score", "reason")


class OverrideError(ValueError):
    """A table of marks that cannot be taken; the message names the lines."""


@dataclass(frozen=True)
class Override:
    """One mark: of a hand-in's check (``softmax.rows_sum_to_one``), in points, with the reason."""

    line: int
    id: str
    check: str
    score: float
    reason: str


def read(path: Path) -> list[Override]:
    """Read ``id,check,score,reason``: UTF-8 with or without byte order mark, ``,`` or ``;``.

    Raises
    ------
    OverrideError
        With every line that is wrong; OSError where the file cannot be opened.
    """
    try:
        return parse(path.read_bytes().decode("utf-8-sig"), str(path))
    except UnicodeDecodeError:
        raise OverrideError(f"{path} is not UTF-8: save it as “CSV UTF-8”.") from None


def parse(text: str, name: str = "overrides") -> list[Override]:
    """Read the table's text.

    Raises
    ------
    OverrideError
    """
    head = text.split("\n", 1)[0]
    lines = csv.reader(
        io.StringIO(text, newline=""), delimiter=";" if head.count(";") > head.count(",") else ","
    )
    rows = [(lines.line_num, [cell.strip() for cell in row]) for row in lines if any(row)]
    columns = [cell.lower() for cell in rows[0][1]] if rows else []
    if lacking := [each for each in COLUMNS if each not in columns]:
        raise OverrideError(f"{name}: there is no column {lacking[0]!r} ({','.join(COLUMNS)}).")
    found: list[Override] = []
    wrong: list[str] = []
    for number, row in rows[1:]:
        told = dict(zip(columns, row, strict=False))
        score = _number(told.get("score", ""))
        if score is None:
            wrong.append(f"line {number}: {told.get('score', '')!r} is no number of points")
        elif not told.get("reason"):
            wrong.append(f"line {number}: there is no reason")
        else:
            found.append(Override(number, told["id"], told["check"], score, told["reason"]))
    _refuse(name, wrong)
    return found


def _number(text: str) -> float | None:
    try:
        score = float(text.replace(",", "."))
    except ValueError:
        return None
    return score if math.isfinite(score) and score >= 0 else None


def _refuse(name: str, wrong: Sequence[str]) -> None:
    if wrong:
        raise OverrideError(f"{name}: nothing was taken over. {'; '.join(wrong[:20])}.")


def foresee(overrides: Sequence[Override], ids: Iterable[str], exercises: Sequence[str]) -> None:
    """Refuse before a class is graded what would be refused after it.

    Raises
    ------
    OverrideError
        Where a hand-in or an exercise is not there, or a check stands twice.
    """
    known = set(ids)

    def problem(each: Override) -> str | None:
        if each.id not in known:
            return f"there is no hand-in {each.id!r}"
        return None if each.check.partition(".")[0] in exercises else _no_check(each.check)

    _hold(overrides, problem)


def _hold(overrides: Sequence[Override], problem: Callable[[Override], str | None]) -> None:
    """Refuse all of them where one has a problem, or stands twice."""
    wrong: list[str] = []
    seen: set[tuple[str, str]] = set()
    for each in overrides:
        said = problem(each)
        if said is None and (each.id, each.check) in seen:
            said = f"{each.id} {each.check} stands twice"
        if said:
            wrong.append(f"line {each.line}: {said}")
        else:
            seen.add((each.id, each.check))
    _refuse("overrides", wrong)


def _no_check(check: str) -> str:
    return f"there is no check {check!r} (write exercise.check)"


def apply(results: Results, overrides: Sequence[Override]) -> Results:
    """Give results with these marks set; status and sums follow from them.

    Raises
    ------
    OverrideError
        Where a hand-in or check is not there, has no score, or gets more than its points.
    """
    if not overrides:
        return results
    by_id = {each.id: each for each in results.submissions}
    _hold(overrides, lambda each: _problem(each, by_id))
    wanted: dict[str, dict[str, Override]] = {}
    for each in overrides:
        wanted.setdefault(each.id, {})[each.check] = each
    return replace(
        results,
        submissions=tuple(
            _submission(each, wanted[each.id]) if each.id in wanted else each
            for each in results.submissions
        ),
    )


def _problem(each: Override, by_id: Mapping[str, SubmissionResult]) -> str | None:
    submission = by_id.get(each.id)
    if submission is None:
        return f"there is no hand-in {each.id!r}"
    if submission.score is None:
        return f"{each.id} is {submission.status} and has no checks"
    for exercise in submission.exercises:
        for check in exercise.checks:
            if f"{exercise.exercise}.{check.check}" == each.check:
                if each.score > check.max_score:
                    return f"{each.check} has {check.max_score:g} points, not {each.score:g}"
                return None
    return _no_check(each.check)


def _submission(found: SubmissionResult, wanted: Mapping[str, Override]) -> SubmissionResult:
    exercises = [_exercise(each, wanted) for each in found.exercises]
    marked = graded(found.id, found.files, exercises)
    return replace(found, score=marked.score, exercises=tuple(exercises))


def _exercise(found: ExerciseResult, wanted: Mapping[str, Override]) -> ExerciseResult:
    checks = [_check(each, wanted.get(f"{found.exercise}.{each.check}")) for each in found.checks]
    if checks == list(found.checks):
        return found
    return exercise_result(
        found.exercise, checks, findings=found.findings, notice=found.notice, detail=found.detail
    )


def _check(found: CheckResult, mark: Override | None) -> CheckResult:
    if mark is None:
        return found
    full = mark.score == found.max_score
    status = "passed" if full else "failed" if found.status == "passed" else found.status
    detail = {**(found.detail or {}), "graded": {"status": found.status, "score": found.score}}
    return replace(
        found, score=mark.score, status=status, override=mark.reason, detail=detail, taken=None
    )
