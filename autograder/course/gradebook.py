"""The kit's own dealings with nbgrader's gradebook, through nbgrader's own classes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from alembic.script import ScriptDirectory
from nbgrader import api, dbutil
from nbgrader.api import Gradebook
from sqlalchemy import event, text
from sqlalchemy.engine import Engine
from sqlalchemy.exc import OperationalError

from autograder.course.classbook import INDEXES, WAIT_SECONDS


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
