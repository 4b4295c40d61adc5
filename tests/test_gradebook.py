"""nbgrader's gradebook, read for a large class, and held by somebody else."""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path

import pytest
from course_class import run

pytest.importorskip("nbgrader", reason="the course extra is not installed")

MAKE = """
import sys
from autograder.course import gradebook
gradebook.enrol(sys.argv[1], [["7", "Bo", "Kim", ""], ["007", "Ann", "Lee, Jr.", "a@x"]])
with gradebook.open_gradebook(__import__("pathlib").Path(sys.argv[1])) as made:
    made.add_assignment("attention", duedate="2026-01-01 10:00:00 UTC")
    made.add_notebook("attention", "attention")
    for number in range(11):
        made.add_grade_cell(f"grade_{number}", "attention", "attention",
                            max_score=9, cell_type="code")
"""
READ = """
import json, sys, time
from pathlib import Path
from autograder.course.classbook import read_class
from autograder.course.place import Course
start = time.process_time()
told = read_class(Course(Path(sys.argv[1]), Path()), "attention")
assert "nbgrader" not in sys.modules
print(json.dumps([time.process_time() - start, len(told["students"]), told["due"],
                  told["students"]["007"]]))
"""
LOCKED = """
import sys, time
from autograder.course import gradebook
gradebook.WAIT_SECONDS = 0.5
try:
    gradebook.enrol(sys.argv[1], [["8", "", "", ""]])
except (gradebook.GradebookLocked, Exception) as error:
    print(type(error).__name__, str(error)[:200])
else:
    print("written")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a gradebook of two thousand students, all graded, and two more."""
    made = tmp_path_factory.mktemp("big")
    for name, text in (("make", MAKE), ("read", READ), ("locked", LOCKED)):
        (made / f"step_{name}.py").write_text(text, encoding="utf-8")
    done = run("step_make", made, cwd=made)
    assert done.returncode == 0, done.stderr
    database = sqlite3.connect(made / "gradebook.db")
    [assignment] = database.execute("SELECT id FROM assignment").fetchone()
    [notebook] = database.execute("SELECT id FROM notebook").fetchone()
    cells = [row[0] for row in database.execute("SELECT id FROM base_cell")]
    with database:
        for n in range(2000):
            database.execute("INSERT INTO student (id) VALUES (?)", (f"s{n}",))
            database.execute(
                "INSERT INTO submitted_assignment (id, assignment_id, student_id, timestamp) "
                "VALUES (?, ?, ?, '2026-01-01 09:00:00.000000')",
                (f"a{n}", assignment, f"s{n}"),
            )
            database.execute(
                "INSERT INTO submitted_notebook (id, assignment_id, notebook_id) VALUES (?, ?, ?)",
                (f"n{n}", f"a{n}", notebook),
            )
            database.executemany(
                "INSERT INTO grade (id, notebook_id, cell_id, auto_score, needs_manual_grade) "
                "VALUES (?, ?, ?, 3.5, 0)",
                [(f"g{n}-{c}", f"n{n}", cell) for c, cell in enumerate(cells)],
            )
    database.close()
    return made


def test_a_class_of_two_thousand_is_read_in_a_moment(folder: Path) -> None:
    done = run("step_read", folder, cwd=folder)
    assert done.returncode == 0, done.stderr
    seconds, count, due, ann = json.loads(done.stdout)
    assert count == 2002
    assert due == "2026-01-01 10:00:00"
    assert ann["last_name"] == "Lee, Jr."
    assert seconds < 2.0


def test_B39_a_gradebook_that_is_held_is_waited_for_and_then_named(folder: Path) -> None:
    holder = sqlite3.connect(folder / "gradebook.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    start = time.monotonic()
    done = run("step_locked", folder, cwd=folder)
    holder.execute("ROLLBACK")
    holder.close()
    assert "GradebookLocked" in done.stdout, done.stdout + done.stderr
    assert "is held by another program" in done.stdout
    assert time.monotonic() - start < 60
    done = run("step_locked", folder, cwd=folder)
    assert done.stdout.strip() == "written"
