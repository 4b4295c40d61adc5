"""The kit's own dealings with nbgrader's gradebook, through nbgrader's own classes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

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


def wait_when_locked(seconds: float = WAIT_SECONDS) -> None:
    """Let every gradebook opened from now on wait for another process that is writing."""

    def connect(connection: Any, record: Any) -> None:
        if type(connection).__module__.startswith("sqlite3"):
            connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    if not getattr(wait_when_locked, "done", False):
        event.listen(Engine, "connect", connect)
        wait_when_locked.done = True  # type: ignore[attr-defined]


def open_gradebook(root: Path, course_id: str = "") -> Gradebook:
    """Open the course's gradebook, made where it is not there yet.

    Raises
    ------
    GradebookLocked
        Where another process holds it for longer than we wait.
    """
    wait_when_locked()
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
