"""The class as a table: everybody on the list, each exercise's points, lateness and findings.

What the gradebook says wins, so that marks given by hand count; what the kit remembers adds
findings, reasons and earlier scores. Knows no file format.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.course.place import ASSIGNMENT, Course
from autograder.course.running import inside
from autograder.course.session import Kept, kept
from autograder.summary import findings_of

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
        None where nothing was handed in or it could not be read.
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
    points: Mapping[str, float | None] = field(default_factory=dict)
    by_hand: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    note: str = ""
    earlier: str = ""


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


def read_table(course: Course) -> Table:
    """Read the class from the gradebook and from what the kit remembers.

    Raises
    ------
    CourseError
        Where the gradebook cannot be read.
    """
    told = inside(course, "autograder.course.gradebook", "read_class", ASSIGNMENT)
    kit = course.kit()
    from autograder.grade import load_checks

    checks = load_checks(kit.graders, course.chosen(kit))
    exercises = {each: math.fsum(c.declared.points for c in some) for each, some in checks.items()}
    rows = [
        _row(course, exercises, student, about, told["due"])
        for student, about in told["students"].items()
    ]
    return Table(exercises, tuple(sorted(rows, key=lambda row: row.id)))


def _row(
    course: Course,
    exercises: Mapping[str, float],
    student: str,
    about: Mapping[str, Any],
    due: str | None,
) -> Row:
    remembered = kept(course, student)
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
    return Row(
        student,
        about["first_name"],
        about["last_name"],
        about["email"],
        status,
        about["time"] or "",
        _late(about["time"], due, about["extension"]),
        score,
        points,
        tuple(by_hand),
        () if remembered is None else tuple(findings_of(remembered.result)),
        note,
        _earlier(remembered) if score is None else "",
    )


def _status(
    course: Course,
    student: str,
    remembered: Kept | None,
    points: Mapping[str, float | None],
    waiting: bool,
    by_hand: list[str],
) -> tuple[str, float | None, str]:
    if remembered is None:
        if all(value is None for value in points.values()):
            here = course.step("submitted", student).is_dir()
            return ("not graded yet" if here else MISSING), None, ""
        return GRADED, math.fsum(value or 0.0 for value in points.values()), ""
    note = remembered.result.notice or ""
    if remembered.result.score is None and not by_hand:
        return remembered.result.status, None, note
    total = math.fsum(value or 0.0 for value in points.values())
    # A mark by hand waits for a look after every regrade: nbgrader's own rule.
    return (WAITING if waiting and not by_hand else GRADED), total, note


def _late(submitted: str | None, due: str | None, extension: float) -> float:
    if not submitted or not due:
        return 0.0
    end = datetime.datetime.fromisoformat(due) + datetime.timedelta(seconds=extension)
    return max(0.0, (datetime.datetime.fromisoformat(submitted) - end).total_seconds())


def _earlier(remembered: Kept | None) -> str:
    scored = [
        each for each in (remembered.earlier if remembered else ()) if each["score"] is not None
    ]
    if not scored:
        return ""
    last = scored[-1]
    return f"{last['score']:g} ({last['submitted'] or last['when']})"
