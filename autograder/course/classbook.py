"""Read a whole class from nbgrader's gradebook in one question, by SQL alone.

Importing nbgrader takes longer than reading two thousand students, so it is left out here.
Nothing but indexes is written.
"""

from __future__ import annotations

import contextlib
import datetime
import sqlite3
from contextlib import closing
from typing import Any

from autograder.course.place import Course, CourseError

WAIT_SECONDS = 30.0  # for another program that holds the gradebook
# Foreign keys that nbgrader searches by and does not index: a class is read in quadratic time.
INDEXES = (
    ("grade", "notebook_id"),
    ("grade", "cell_id"),
    ("comment", "notebook_id"),
    ("comment", "cell_id"),
    ("submitted_notebook", "assignment_id"),
    ("submitted_notebook", "notebook_id"),
    ("submitted_assignment", "student_id"),
    ("base_cell", "notebook_id"),
)


CLASS = """
SELECT student.id, student.first_name, student.last_name, student.email,
       submitted_assignment.timestamp, submitted_assignment.extension, base_cell.name,
       grade.auto_score, grade.manual_score, grade.extra_credit, grade.needs_manual_grade,
       submitted_notebook.late_submission_penalty
FROM student
LEFT JOIN submitted_assignment ON submitted_assignment.student_id = student.id
     AND submitted_assignment.assignment_id = :assignment
LEFT JOIN submitted_notebook ON submitted_notebook.assignment_id = submitted_assignment.id
LEFT JOIN grade ON grade.notebook_id = submitted_notebook.id
LEFT JOIN base_cell ON base_cell.id = grade.cell_id
ORDER BY student.id
"""


def read_class(course: Course, assignment: str) -> dict[str, Any]:
    """Read everybody on the list, with each exercise's marks.

    Returns
    -------
    dict
        ``due``, and ``students``: id to name, email, time of the hand-in, what nbgrader took off
        for lateness, and grades, each as automatic, manual and extra points and whether it waits
        for a person.

    Raises
    ------
    CourseError
        Where there is no gradebook, or it cannot be read.
    """
    if not course.gradebook.is_file():
        raise CourseError(f"{course.gradebook} is not there: it is made by `attn course init`.")
    try:
        with closing(sqlite3.connect(course.gradebook, timeout=WAIT_SECONDS)) as database:
            with contextlib.suppress(sqlite3.OperationalError), database:  # it may be read-only
                for table, column in INDEXES:
                    name = f"ix_attn_{table}_{column}"
                    database.execute(f"CREATE INDEX IF NOT EXISTS {name} ON {table} ({column})")
            found = database.execute(
                "SELECT id, duedate FROM assignment WHERE name = ?", (assignment,)
            ).fetchone()
            named = {"assignment": found[0] if found else ""}
            students = _students(database.execute(CLASS, named))
    except sqlite3.Error as error:
        raise CourseError(f"{course.gradebook} cannot be read: {error}") from error
    return {"due": str(found[1])[:19] if found and found[1] is not None else None,
            "students": students}  # fmt: skip


def _students(rows: sqlite3.Cursor) -> dict[str, Any]:
    students: dict[str, Any] = {}
    for row in rows:
        one = students.setdefault(
            row[0],
            {
                "first_name": row[1] or "",
                "last_name": row[2] or "",
                "email": row[3] or "",
                "time": None if row[4] is None else str(row[4])[:19],
                "extension": _seconds(row[5]),
                "penalty": row[11] or 0.0,
                "grades": {},
            },
        )
        if row[6] is not None:
            one["grades"][row[6]] = [row[7], row[8], row[9] or 0.0, bool(row[10])]
    return students


def _seconds(extension: str | None) -> float:
    """Give an extension in seconds: SQLite stores it as a time after 1970."""
    try:
        told = datetime.datetime.fromisoformat(str(extension))
    except ValueError:
        return 0.0
    return (told - datetime.datetime(1970, 1, 1)).total_seconds()
