"""What grading found, as frozen dataclasses and as one JSON file.

Statuses and sums are computed here from the outcomes of checks, and proved again whenever
results are written or read. How an outcome came to be, and how a page looks, stand elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from autograder import record

CheckStatus = Literal["passed", "failed", "error", "timeout", "skipped"]
ExerciseStatus = Literal[
    "passed", "partial", "failed", "error", "timeout", "missing", "not_attempted"
]
SubmissionStatus = Literal["graded", "unreadable", "empty"]
Detail = dict[str, Any]


class ResultsError(ValueError):
    """Results that contradict themselves, or a file that is none; the message says where."""


@dataclass(frozen=True)
class CheckResult:
    """One check of one submission.

    Attributes
    ----------
    check, title : str
        ``rows_sum_to_one`` and what the learner reads.
    status : str
    score, max_score : float
        Points: all of them, or 0.
    message : str or None
        The learner's sentence, without numbers of hidden probes; None where it passed.
    finding : str or None
        The sentence's code.
    detail : dict or None
        For the instructor only; no page for students shows it.
    override : str or None
        Why an instructor set this mark by hand; then it may be a part of the points.
    taken : float or None
        Points of a passed check that a forbidden shortcut cost; `score` is without them.
    """

    check: str
    title: str
    status: CheckStatus
    score: float
    max_score: float
    message: str | None = None
    finding: str | None = None
    detail: Detail | None = field(default=None, metadata=record.LEFT_OUT)
    override: str | None = field(default=None, metadata=record.LEFT_OUT)
    taken: float | None = field(default=None, metadata=record.LEFT_OUT)


@dataclass(frozen=True)
class ExerciseResult:
    """One exercise of one submission; `exercise_result` makes it.

    Attributes
    ----------
    findings : tuple of str
        The codes that the learner is told, most telling first.
    notice : str or None
        A sentence beside the marks, such as that of the follow-through.
    detail : dict or None
        For the instructor only: the second finding, candidates.
    """

    exercise: str
    status: ExerciseStatus
    score: float
    max_score: float
    findings: tuple[str, ...]
    checks: tuple[CheckResult, ...]
    notice: str | None = field(default=None, metadata=record.LEFT_OUT)
    detail: Detail | None = field(default=None, metadata=record.LEFT_OUT)


@dataclass(frozen=True)
class SubmissionResult:
    """One hand-in; `graded` or `not_graded` makes it.

    Attributes
    ----------
    score : float or None
        None where there was nothing to grade.
    seconds : float
        What grading it took, in seconds.
    notice : str or None
        What was done with a renamed, duplicated or odd file, or why it is unreadable.
    printed : str
        What the student's files printed while they were loaded, cut; for its student to see.
    receipt : str
        What `attn pack` printed as its receipt, computed anew from what was graded; "" where the
        hand-in was not packed by it.
    detail : dict or None
        For the instructor only.
    digest : str
        Of the files that were graded: another one, another hand-in.
    quiz : dict
        Question of the quiz to ``right``, the finding that the first answer points at, or
        ``other``; no points come of it.
    last_good : float or None
        The score of the last run that gave one, where this run gave none.
    """

    id: str
    files: tuple[str, ...]
    status: SubmissionStatus
    score: float | None
    max_score: float
    seconds: float
    notice: str | None
    exercises: tuple[ExerciseResult, ...]
    printed: str = field(default="", metadata=record.LEFT_OUT)
    receipt: str = field(default="", metadata=record.LEFT_OUT)
    detail: Detail | None = field(default=None, metadata=record.LEFT_OUT)
    digest: str = field(default="", metadata=record.LEFT_OUT)
    last_good: float | None = field(default=None, metadata=record.LEFT_OUT)
    quiz: Detail = field(default_factory=dict, metadata=record.LEFT_OUT)

    def to_json(self) -> dict[str, Any]:
        """Give the JSON tree of this hand-in alone."""
        return record.tree(self)


@dataclass(frozen=True)
class Results:
    """A graded class.

    Attributes
    ----------
    kit : str
        The version that graded.
    isolation : tuple of str
        The level reached (``L0`` to ``L4``), then its layers.
    digests : dict
        Of what scores depend on beside the hand-ins: ``graders``, ``kit``, ``seed``.
    waiting : int or None
        Hand-ins that a stopped run had not come to; they are not in `submissions`.
    """

    kit: str
    isolation: tuple[str, ...]
    submissions: tuple[SubmissionResult, ...] = ()
    digests: Detail = field(default_factory=dict, metadata=record.LEFT_OUT)
    waiting: int | None = field(default=None, metadata=record.LEFT_OUT)
    schema: Literal[1] = 1

    def to_json(self) -> dict[str, Any]:
        """Give the JSON tree, as ``results.schema.json`` describes it."""
        return {"schema": 1, **record.tree(self)}


def from_json(tree: Any) -> Results:
    """Read results from a JSON tree, and prove them.

    Raises
    ------
    ResultsError
        Where it is of another schema, or contradicts itself.
    """
    if not isinstance(tree, dict) or tree.get("schema") != 1:
        raise ResultsError("not results of schema 1")
    try:
        results = record.read(Results, tree, "results")
    except record.RecordError as error:
        raise ResultsError(str(error)) from error
    prove(results)
    return results


def submission_from_json(tree: Any) -> SubmissionResult:
    """Read one hand-in from its JSON tree, and prove it.

    Raises
    ------
    ResultsError
    """
    try:
        submission = record.read(SubmissionResult, tree, "submission")
    except record.RecordError as error:
        raise ResultsError(str(error)) from error
    _prove_submission(submission)
    return submission


def read(path: Path) -> Results:
    """Read a results file, and prove it.

    Raises
    ------
    ResultsError
        Where it is no results file; OSError where it cannot be opened.
    """
    try:
        return from_json(record.loads(path.read_bytes()))
    except (record.RecordError, ResultsError) as error:
        raise ResultsError(f"{path}: {error}") from error


def write_atomically(path: Path, results: Results) -> None:
    """Prove results and write them, so that a reader finds the old file or the new one whole.

    Raises
    ------
    ResultsError
        Where they contradict themselves; then the old file stays.
    """
    prove(results)
    whole = replace(results, submissions=()).to_json()
    parts = record.by_line(whole, "submissions", (each.to_json() for each in results.submissions))
    try:
        record.write_whole(path, parts)
    except (ValueError, TypeError) as error:
        raise ResultsError(f"results hold what JSON cannot: {error}") from error


# ---- Statuses and sums --------------------------------------------------------------------------


def exercise_status(checks: Sequence[CheckResult], state: str = "attempted") -> ExerciseStatus:
    """Give an exercise's status from its checks.

    Parameters
    ----------
    checks : sequence of CheckResult
    state : str
        ``attempted``; ``stub`` where every function is still the placeholder; ``missing``.
    """
    if state == "missing":
        return "missing"
    if state == "stub":
        return "not_attempted"
    if all(check.status == "passed" and not check.taken for check in checks):
        return "passed"
    if any(check.score > 0 for check in checks):
        return "partial"
    statuses = {check.status for check in checks}
    if "timeout" in statuses:
        return "timeout"
    return "error" if "error" in statuses else "failed"


def exercise_result(
    exercise: str,
    checks: Sequence[CheckResult],
    *,
    state: str = "attempted",
    findings: Sequence[str] = (),
    notice: str | None = None,
    detail: Detail | None = None,
) -> ExerciseResult:
    """Put an exercise's checks together: its status, score and maximum follow from them."""
    return ExerciseResult(
        exercise=exercise,
        status=exercise_status(checks, state),
        score=math.fsum(check.score for check in checks),
        max_score=math.fsum(check.max_score for check in checks),
        findings=tuple(findings),
        checks=tuple(checks),
        notice=notice,
        detail=detail,
    )


def graded(
    id: str,
    files: Sequence[str],
    exercises: Sequence[ExerciseResult],
    *,
    seconds: float = 0.0,
    notice: str | None = None,
    printed: str = "",
    receipt: str = "",
    quiz: Detail | None = None,
    detail: Detail | None = None,
) -> SubmissionResult:
    """Put a hand-in's exercises together: its score and maximum follow from them."""
    return SubmissionResult(
        id=id,
        files=tuple(files),
        status="graded",
        score=math.fsum(each.score for each in exercises),
        max_score=math.fsum(each.max_score for each in exercises),
        seconds=seconds,
        notice=notice,
        exercises=tuple(exercises),
        printed=printed,
        receipt=receipt,
        quiz=quiz or {},
        detail=detail,
    )


def not_graded(
    id: str,
    files: Sequence[str],
    status: Literal["unreadable", "empty"],
    max_score: float,
    *,
    notice: str | None = None,
    seconds: float = 0.0,
) -> SubmissionResult:
    """Give a hand-in that has no score, with the reason in `notice`."""
    return SubmissionResult(
        id, tuple(files), status, None, float(max_score), seconds, notice, exercises=()
    )


def prove(results: Results) -> None:
    """Prove that statuses and sums follow from the checks, and that ids are unique.

    Raises
    ------
    ResultsError
        At the first contradiction.
    """
    seen: set[str] = set()
    for submission in results.submissions:
        if submission.id in seen:
            raise ResultsError(f"{submission.id}: the id stands twice")
        seen.add(submission.id)
        _prove_submission(submission)


def _prove_submission(submission: SubmissionResult) -> None:
    where = submission.id
    if submission.status != "graded":
        if submission.score is not None or submission.exercises:
            raise ResultsError(f"{where}: {submission.status}, and yet it has a score")
        return
    if submission.score is None or not submission.exercises:
        raise ResultsError(f"{where}: graded, and yet it has no score")
    if len({each.exercise for each in submission.exercises}) != len(submission.exercises):
        raise ResultsError(f"{where}: an exercise stands twice")
    for exercise in submission.exercises:
        _prove_exercise(f"{where}: {exercise.exercise}", exercise)
    _same_sum(where, submission.score, [each.score for each in submission.exercises])
    _same_sum(where, submission.max_score, [each.max_score for each in submission.exercises])


def _prove_exercise(where: str, exercise: ExerciseResult) -> None:
    if not exercise.checks:
        raise ResultsError(f"{where}: no check has an outcome")
    if len({check.check for check in exercise.checks}) != len(exercise.checks):
        raise ResultsError(f"{where}: a check stands twice")
    for check in exercise.checks:
        if check.override and 0 <= check.score <= check.max_score:
            continue  # set by hand, with the reason
        worth = check.max_score if check.status == "passed" else 0.0
        taken = check.taken or 0.0
        if not 0 <= taken <= worth:
            raise ResultsError(f"{where}.{check.check}: it has no {taken} points to be taken off")
        if check.score != worth - taken:
            raise ResultsError(f"{where}.{check.check}: {check.status} with {check.score} points")
    if exercise.status in ("missing", "not_attempted"):
        if any(check.status != "skipped" for check in exercise.checks):
            raise ResultsError(f"{where}: {exercise.status}, and yet a check ran")
    elif exercise.status != exercise_status(exercise.checks):
        raise ResultsError(f"{where}: {exercise.status} does not follow from its checks")
    _same_sum(where, exercise.score, [check.score for check in exercise.checks])
    _same_sum(where, exercise.max_score, [check.max_score for check in exercise.checks])


def _same_sum(where: str, total: float, parts: Sequence[float]) -> None:
    if not math.isclose(total, math.fsum(parts), rel_tol=0.0, abs_tol=1e-9):
        raise ResultsError(f"{where}: {total} is not the sum of its parts, {math.fsum(parts)}")
