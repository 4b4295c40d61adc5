"""The kit's own dealings with nbgrader's gradebook, through nbgrader's own classes."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from alembic.script import ScriptDirectory
from nbgrader import api, dbutil
from nbgrader.api import Gradebook
from sqlalchemy import event, text
from sqlalchemy.engine import Engine
from sqlalchemy.exc import OperationalError

WAIT_SECONDS = 30.0
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


class GradebookLocked(Exception):
    """Another process held the gradebook for too long."""


def prepare() -> None:
    """Let every gradebook opened from now on wait for a process that is writing, and need no PATH.

    nbgrader asks the program `alembic` which version a new database has; where an environment is
    not activated, or its programs lie in a user's own folder, that is not found.
    """

    def connect(connection: Any, record: Any) -> None:
        if type(connection).__module__.startswith("sqlite3"):
            connection.execute(f"PRAGMA busy_timeout = {int(WAIT_SECONDS * 1000)}")

    if not getattr(prepare, "done", False):
        event.listen(Engine, "connect", connect)
        api.get_alembic_version = _newest_version
        prepare.done = True  # type: ignore[attr-defined]


def _newest_version() -> str:
    return str(ScriptDirectory(dbutil.ALEMBIC_DIR).get_current_head())


def open_gradebook(root: Path, course_id: str = "") -> Gradebook:
    """Open the course's gradebook, made where it is not there yet.

    Raises
    ------
    GradebookLocked
        Where another process holds it for longer than we wait.
    """
    prepare()
    try:
        return Gradebook(f"sqlite:///{root / 'gradebook.db'}", course_id)
    except OperationalError as error:
        if "locked" not in str(error):
            raise
        raise GradebookLocked(
            f"{root / 'gradebook.db'} is held by another program for {WAIT_SECONDS:g} seconds "
            "already: end it, and run this again"
        ) from error


def add_indexes(gradebook: Gradebook) -> None:
    """Add the indexes that reading a large class needs; nbgrader works with and without."""
    for table, column in INDEXES:
        name = f"ix_attn_{table}_{column}"
        gradebook.db.execute(text(f"CREATE INDEX IF NOT EXISTS {name} ON {table} ({column})"))
    gradebook.db.commit()


def enrol(root: str, students: Sequence[Sequence[str]]) -> int:
    """Make the gradebook with the assignment and these students in it; give how many there are."""
    with open_gradebook(Path(root)) as gradebook:
        add_indexes(gradebook)
        for student, first, last, email in students:
            gradebook.update_or_create_student(
                student, first_name=first or None, last_name=last or None, email=email or None
            )
        return len(gradebook.students)


CLASS = """
SELECT student.id, student.first_name, student.last_name, student.email,
       submitted_assignment.timestamp, submitted_assignment.extension, base_cell.name,
       grade.auto_score, grade.manual_score, grade.extra_credit, grade.needs_manual_grade
FROM student
LEFT JOIN submitted_assignment ON submitted_assignment.student_id = student.id
     AND submitted_assignment.assignment_id = :assignment
LEFT JOIN submitted_notebook ON submitted_notebook.assignment_id = submitted_assignment.id
LEFT JOIN grade ON grade.notebook_id = submitted_notebook.id
LEFT JOIN base_cell ON base_cell.id = grade.cell_id
ORDER BY student.id
"""


def read_class(root: str, assignment: str) -> dict[str, Any]:
    """Read the whole class in one question: everybody on the list, with each exercise's marks.

    Returns
    -------
    dict
        ``due``, and ``students``: id to name, email, time of the hand-in and grades, each grade
        as automatic, manual and extra points and whether it waits for a person.
    """
    with open_gradebook(Path(root)) as gradebook:
        add_indexes(gradebook)
        found = gradebook.db.execute(
            text("SELECT id, duedate FROM assignment WHERE name = :name"), {"name": assignment}
        ).first()
        rows = gradebook.db.execute(text(CLASS), {"assignment": found[0] if found else ""})
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
                    "grades": {},
                },
            )
            if row[6] is not None:
                one["grades"][row[6]] = [row[7], row[8], row[9] or 0.0, bool(row[10])]
        due = str(found[1])[:19] if found and found[1] is not None else None
        return {"due": due, "students": students}


def _seconds(extension: Any) -> float:
    """Give an extension in seconds: SQLite stores it as a time after 1970."""
    if extension is None:
        return 0.0
    if isinstance(extension, datetime.timedelta):
        return extension.total_seconds()
    try:
        told = datetime.datetime.fromisoformat(str(extension))
    except ValueError:
        return 0.0
    return (told - datetime.datetime(1970, 1, 1)).total_seconds()
