"""Reading a class for the report: a gradebook of N students and what the kit remembers of each.

    python benchmarks/read_class.py [--students 2000]

Builds a course whose students are all graded (no grading is done: rows and records are copied),
then reads it as `attn course report` does. Printed are processor seconds, which a busy machine
does not stretch, and wall seconds: of the gradebook alone, of the kit's records, and of the whole
table.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.course import grades, setup
from autograder.course.classbook import read_class
from autograder.course.place import Course
from autograder.course.running import nbgrader
from autograder.exercise import find_kit

KIT = Path(__file__).resolve().parent.parent
HAND_IN = KIT / "tests" / "sample_class" / "submissions" / "student-20" / "attention.ipynb"
TABLES = ("submitted_assignment", "submitted_notebook", "grade", "comment")


def spent() -> float:
    """Give the processor seconds of this process and of those that it waited for."""
    own, children = (
        resource.getrusage(each) for each in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def course(folder: Path, students: int) -> Course:
    """Make a course in which one student was graded, and copy her."""
    os.environ["PYTHONPATH"] = str(KIT)
    made = setup.init(folder, find_kit(KIT), (), (), "en")
    nbgrader(made, "generate_assignment", "attention")
    place = folder / "submitted" / "s0" / "attention"
    place.mkdir(parents=True)
    (place / "attention.ipynb").write_bytes(HAND_IN.read_bytes())
    nbgrader(made, "autograde", "attention")
    _copy_rows(folder, students)
    record = json.loads(made.record("s0").read_text(encoding="utf-8"))
    for number in range(1, students):
        record["result"]["id"] = f"s{number}"
        made.record(f"s{number}").write_text(json.dumps(record), encoding="utf-8")
    return made


def _copy_rows(folder: Path, students: int) -> None:
    database = sqlite3.connect(folder / "gradebook.db")
    database.row_factory = sqlite3.Row
    first = {name: database.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}
    ids = {row["id"] for rows in first.values() for row in rows} | {"s0"}

    def renamed(value: Any, number: int) -> Any:
        return f"s{number}" if value == "s0" else f"{value}-{number}" if value in ids else value

    with database:
        for number in range(1, students):
            database.execute("INSERT INTO student (id) VALUES (?)", (f"s{number}",))
            for name, rows in first.items():
                marks = ", ".join("?" * len(rows[0]))
                database.executemany(
                    f"INSERT INTO {name} ({', '.join(rows[0].keys())}) VALUES ({marks})",
                    [[renamed(value, number) for value in row] for row in rows],
                )
    database.close()


def timed(what: str, do: Callable[[], object]) -> None:
    """Do something and print what it took."""
    cpu, wall = spent(), time.perf_counter()
    do()
    print(f"| {what} | {spent() - cpu:.2f} | {time.perf_counter() - wall:.2f} |", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=2000)
    students = parser.parse_args().students
    with tempfile.TemporaryDirectory() as place:
        made = course(Path(place) / "course", students)
        names = [f"s{number}" for number in range(students)]
        print(f"{students} students\n\n| read | CPU s | s |\n|---|---|---|")
        timed("the gradebook", lambda: read_class(made, "attention"))
        timed("the kit's records", lambda: [grades._remembered(made, name) for name in names])
        timed("the whole table", lambda: grades.read_table(made))
        table = grades.read_table(made)
        assert len(table.rows) == students and table.rows[0].score is not None


if __name__ == "__main__":
    main()
