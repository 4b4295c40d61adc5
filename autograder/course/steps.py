"""A course's four steps after it was made: release, collect, grade, report.

Each tells the nbgrader command that does the same; nbgrader's own words are passed on where it
complains.
"""

from __future__ import annotations

import datetime
import glob
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from autograder import __version__
from autograder.course import grades, sheet
from autograder.course.classbook import read_class
from autograder.course.collect import Collection, Collector
from autograder.course.place import ASSIGNMENT, Course, CourseError
from autograder.course.release import enclose, install, problems
from autograder.course.roster import Student
from autograder.course.running import environment, nbgrader, need_nbgrader, shown
from autograder.course.session import kept
from autograder.late import Rule
from autograder.messages import ui
from autograder.results import Results, write_atomically

Say = Callable[[str], None]
RAISED = re.compile(r"[A-Za-z_][\w.]*: ")  # how a traceback's last line begins


def release(course: Course, say: Say, *, publish: bool = False) -> list[str]:
    """Make what students get, prove that it leaks nothing, and publish it on the exchange.

    Returns
    -------
    list of str
        Why it must not be released; empty where it may.
    """
    _nbgrader(course, say, "generate_assignment", ASSIGNMENT, "--force")
    say("Building the kit's wheel for students …")
    if reason := install(course):
        say(ui("course.no_wheel", course.lang, reason=reason))
    enclose(course)
    say("Looking through every file for what must not leave: some seconds …")
    found = problems(course)
    if not found and publish:
        _nbgrader(course, say, "release_assignment", ASSIGNMENT)
    return found


def collect(course: Course, say: Say, paths: Sequence[Path], *, dry: bool = False) -> Collection:
    """Take hand-ins from the exchange, or from zips and folders.

    Raises
    ------
    CourseError, SubmissionError
    """
    told = read_class(course, ASSIGNMENT)
    students = [
        Student(each, about["first_name"], about["last_name"], about["email"])
        for each, about in told["students"].items()
    ]
    due = told["due"]
    end = None if due is None else datetime.datetime.fromisoformat(due)
    end = None if end is None else end.replace(tzinfo=datetime.UTC)
    collector = Collector(course, students, end, dry)
    if paths:
        return collector.collect(paths)
    _nbgrader(course, say, "collect", ASSIGNMENT, "--update")
    return Collection((), collector.missing())


def grade(
    course: Course, say: Say, *, jobs: int, force: bool, students: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    """Grade whoever handed in; give each student's outcome as it comes.

    Raises
    ------
    CourseError
        Where grading as a whole failed.
    """
    need_nbgrader()
    words = ["autograde", ASSIGNMENT, *(["--force"] if force else [])]
    say("$ " + shown(*words))
    say("Starting nbgrader and the graders: the first student comes after some seconds …")
    command = [
        sys.executable,
        "-P",
        "-m",
        "autograder.course.gradeall",
        str(course.root),
        str(jobs),
    ]
    command += ["force" if force else "new", *students]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        env=environment(),
        cwd=course.root,
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        for line in process.stdout:
            yield json.loads(line)
        errors = process.stderr.read().strip().splitlines()
        if (code := process.wait()) != 0:
            raise CourseError(_ended(code, errors))
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
        process.stdout.close()
        process.stderr.close()


def _ended(code: int, errors: Sequence[str]) -> str:
    """Say why grading as a whole ended."""
    if code < 0:  # by a signal: whatever else it said was about something else
        return (
            f"grading was ended from outside (signal {-code}), as happens where memory runs out: "
            "run `attn course grade` again, and it goes on where it stopped"
        )
    return errors[-1] if errors else "grading ended by itself: run `attn course grade` again"


def handed_in(course: Course) -> list[str]:
    """Give the students with a folder in ``submitted``."""
    pattern = os.path.join(glob.escape(str(course.root)), "submitted", "*", ASSIGNMENT)  # noqa: PTH118
    return sorted(Path(path).parent.name for path in glob.glob(pattern))  # noqa: PTH207


def write_results(course: Course, isolation: Sequence[str]) -> Path:
    """Write ``results.json``: what the kit found for everybody who handed in."""
    found = [kept(course, student) for student in handed_in(course)]
    results = Results(
        __version__, tuple(isolation), tuple(each.result for each in found if each is not None)
    )
    path = course.root / "results.json"
    write_atomically(path, results)
    return path


def report(
    course: Course, say: Say, *, feedback: bool = True, late: Rule | None = None
) -> list[Path]:
    """Write feedback and both grades files; `late` says what lateness costs in ours."""
    written = []
    if feedback:
        say(f"Writing a page for each of {len(handed_in(course))} who handed in …")
        _nbgrader(course, say, "generate_feedback", ASSIGNMENT, "--force")
    stock = course.root / "nbgrader-grades.csv"
    _nbgrader(course, say, "export", "--to", str(stock))
    written.append(stock)
    table = grades.read_table(course, late)
    own = course.root / "grades.csv"
    own.write_text(sheet.lines(grade_rows(table)), encoding="utf-8-sig", newline="")
    return [*written, own]


def grade_rows(table: grades.Table) -> Iterator[list[object]]:
    """Give the grades file's rows, the head first."""
    head = ["id", "last_name", "first_name", "email", "status", "submitted_utc", "late_hours"]
    yield [*head, "score", "max_score", "late_penalty", "final_score", *table.exercises,
           "by_hand", "findings", "note", "earlier_score"]  # fmt: skip
    for row in table.rows:
        yield [
            row.id,
            row.last_name,
            row.first_name,
            row.email,
            row.status,
            row.submitted,
            round(row.late / 3600, 2) if row.late else "",
            row.score,
            table.maximum,
            row.penalty or "",
            row.final,
            *(row.points.get(each) for each in table.exercises),
            " ".join(row.by_hand),
            " ".join(row.findings),
            row.note,
            row.earlier,
        ]


def _nbgrader(course: Course, say: Say, *words: str) -> str:
    say("$ " + shown(*words))
    done = nbgrader(course, *words)
    if done.returncode != 0:
        raise CourseError("nbgrader: " + complaint(done.stderr))
    return done.stderr


def complaint(said: str) -> str:
    """Give the sentence of what nbgrader wrote: its errors, else what its traceback ends with."""
    lines = said.strip().splitlines()
    told = [line for line in lines if "ERROR" in line][-3:]
    if not told:
        raised = [n for n, line in enumerate(lines) if RAISED.match(line)]
        told = lines[raised[-1] :] if raised else lines[-1:]
    return " ".join(line.strip() for line in told)[:600]
