"""The class as a table: everybody on the list, each exercise's points, lateness and findings.

What the gradebook says wins, so that marks given by hand count; what the kit remembers adds
findings, reasons and earlier scores. Knows no file format.
"""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.course.classbook import read_class
from autograder.course.place import ASSIGNMENT, Course
from autograder.late import Rule
from autograder.summary import NOT_BEGUN

MISSING, WAITING, GRADED = "missing", "needs a person", "graded"


@dataclass(frozen=True)
class Row:
    """One student.

    Attributes
    ----------
    status : str
        ``graded``, ``unreadable``, ``empty``, ``needs a person``, ``not graded yet``, ``missing``.
    submitted : str
        UTC, or "".
    late : float
        Seconds after the due time, extension taken off; 0 where in time.
    score : float or None
        None where nothing was handed in or it could not be read. Lateness never changes it.
    penalty : float
        Points that lateness costs, at most the score.
    points : dict
        Exercise to points, or None.
    earlier : str
        The last good score before a hand-in that could not be read.
    """

    id: str
    first_name: str
    last_name: str
    email: str
    status: str
    submitted: str = ""
    late: float = 0.0
    score: float | None = None
    penalty: float = 0.0
    points: Mapping[str, float | None] = field(default_factory=dict)
    by_hand: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    note: str = ""
    earlier: str = ""

    @property
    def final(self) -> float | None:
        """The score after what lateness costs."""
        return None if self.score is None else self.score - self.penalty


@dataclass(frozen=True)
class Table:
    """The class.

    Attributes
    ----------
    exercises : dict
        Exercise to its points.
    rows : tuple of Row
    """

    exercises: Mapping[str, float]
    rows: tuple[Row, ...]

    @property
    def maximum(self) -> float:
        return math.fsum(self.exercises.values())


def read_table(course: Course, rule: Rule | None = None) -> Table:
    """Read the class from the gradebook and from what the kit remembers.

    Parameters
    ----------
    rule : Rule, optional
        What lateness costs, by the due time and the extensions as they are now; what nbgrader has
        taken off when it graded, unless told.

    Raises
    ------
    CourseError
        Where the gradebook cannot be read.
    """
    told = read_class(course, ASSIGNMENT)
    kit = course.kit()
    from autograder.check import points_of
    from autograder.grade import load_checks

    checks = load_checks(kit.graders, course.chosen(kit))
    exercises = {each: points_of(some) for each, some in checks.items()}
    rows = [
        _row(course, exercises, student, about, told["due"], rule)
        for student, about in told["students"].items()
    ]
    return Table(exercises, tuple(sorted(rows, key=lambda row: row.id)))


@dataclass(frozen=True)
class _Remembered:
    """What the table needs of a student's record; a class has too many to read them whole."""

    status: str
    score: float | None
    notice: str | None
    findings: tuple[str, ...]
    earlier: tuple[Mapping[str, Any], ...]


def _remembered(course: Course, student: str) -> _Remembered | None:
    try:
        told = json.loads(course.record(student).read_bytes())
    except FileNotFoundError:
        return None
    result = told["result"]
    codes = (
        code
        for exercise in result["exercises"]
        if exercise["status"] not in NOT_BEGUN
        for code in exercise["findings"]
    )
    return _Remembered(
        result["status"],
        result["score"],
        result["notice"],
        tuple(dict.fromkeys(codes)),
        tuple(told["earlier"]),
    )


def _row(
    course: Course,
    exercises: Mapping[str, float],
    student: str,
    about: Mapping[str, Any],
    due: str | None,
    rule: Rule | None,
) -> Row:
    remembered = _remembered(course, student)
    grades = about["grades"]
    points: dict[str, float | None] = {}
    by_hand, waiting = [], False
    for each in exercises:
        grade = grades.get(f"grade_{each}")
        points[each] = None
        if grade is None:
            continue
        auto, manual, extra, needs = grade
        waiting = waiting or needs
        if manual is not None:
            by_hand.append(each)
        counted = manual if manual is not None else auto
        points[each] = None if counted is None else counted + extra
    status, score, note = _status(course, student, remembered, points, waiting, by_hand)
    if score is None:
        points = dict.fromkeys(points)
    late = _late(about["time"], due, about["extension"])
    taken = about["penalty"] if rule is None else rule.penalty(score or 0.0, late)
    return Row(
        student,
        about["first_name"],
        about["last_name"],
        about["email"],
        status,
        about["time"] or "",
        late,
        score,
        min(max(taken, 0.0), max(score or 0.0, 0.0)),
        points,
        tuple(by_hand),
        () if remembered is None else remembered.findings,
        note,
        _earlier(remembered) if score is None else "",
    )


def _status(
    course: Course,
    student: str,
    remembered: _Remembered | None,
    points: Mapping[str, float | None],
    waiting: bool,
    by_hand: list[str],
) -> tuple[str, float | None, str]:
    if remembered is None:
        if all(value is None for value in points.values()):
            here = course.step("submitted", student).is_dir()
            return ("not graded yet" if here else MISSING), None, ""
        return GRADED, math.fsum(value or 0.0 for value in points.values()), ""
    note = remembered.notice or ""
    if remembered.score is None and not by_hand:
        return remembered.status, None, note
    total = math.fsum(value or 0.0 for value in points.values())
    # A mark by hand waits for a look after every regrade: nbgrader's own rule.
    return (WAITING if waiting and not by_hand else GRADED), total, note


def _late(submitted: str | None, due: str | None, extension: float) -> float:
    if not submitted or not due:
        return 0.0
    end = datetime.datetime.fromisoformat(due) + datetime.timedelta(seconds=extension)
    return max(0.0, (datetime.datetime.fromisoformat(submitted) - end).total_seconds())


def _earlier(remembered: _Remembered | None) -> str:
    scored = [
        each for each in (remembered.earlier if remembered else ()) if each["score"] is not None
    ]
    if not scored:
        return ""
    last = scored[-1]
    return f"{last['score']:g} ({last['submitted'] or last['when']})"
