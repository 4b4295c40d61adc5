"""A class in a real nbgrader course, for tests: odd notebooks, made from a right one."""

from __future__ import annotations

import copy
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from autograder.course.running import environment
from autograder.exercise import BEGIN, END

KIT = Path(__file__).resolve().parent.parent
Book = dict[str, Any]


def attn(*words: object, cwd: Path = KIT, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `attn` as a user does, with no venv on PATH."""
    return run("autograder", *words, cwd=cwd, **variables)


def run(
    module: str, *words: object, cwd: Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a module's command."""
    told = {**environment(), "PYTHONPATH": str(KIT), "PATH": "/usr/bin:/bin", "ATTN_SECRET": "s"}
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, words)],
        cwd=cwd,
        env={**told, **variables},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def right(course: Path) -> Book:
    """Give the notebook that answers everything, as a student would hand it in."""
    book: Book = json.loads(
        (course / "source" / "attention" / "attention.ipynb").read_text(encoding="utf-8")
    )
    for cell in book["cells"]:
        lines = "".join(cell["source"]).split("\n")
        cell["source"] = "\n".join(line for line in lines if line.strip() not in (BEGIN, END))
    return book


def cell(book: Book, name: str) -> Book:
    """Give the cell with a grade_id."""
    [found] = [
        c for c in book["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == name
    ]
    return found  # type: ignore[no-any-return]


def place(book: Book, name: str) -> int:
    """Give that cell's place."""
    return int(book["cells"].index(cell(book, name)))


def code(text: str) -> Book:
    """Make a plain code cell."""
    return {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "source": text,
    }


def changed(book: Book, change: Callable[[Book], object]) -> bytes:
    """Give a changed copy's bytes."""
    other = copy.deepcopy(book)
    change(other)
    return json.dumps(other).encode()


def hand_in(course: Path, student: str, files: Mapping[str, bytes]) -> Path:
    """Put files where nbgrader expects a student's."""
    folder = course / "submitted" / student / "attention"
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def points(course: Path) -> dict[str, dict[str, float | None]]:
    """Read from nbgrader's gradebook: student to grade cell to automatic points."""
    database = sqlite3.connect(course / "gradebook.db")
    rows = database.execute(
        "SELECT submitted_assignment.student_id, base_cell.name, grade.auto_score FROM grade "
        "JOIN base_cell ON base_cell.id = grade.cell_id "
        "JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id "
        "JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id"
    ).fetchall()
    database.close()
    found: dict[str, dict[str, float | None]] = {}
    for student, name, score in rows:
        found.setdefault(student, {})[name.removeprefix("grade_")] = score
    return found
