"""One grading process of a course: graders and sandboxes opened once, students one by one."""

from __future__ import annotations

import atexit
import datetime
import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder import __version__, overrides, record
from autograder.batch import Grader
from autograder.course.place import NOTEBOOK, Course, find_course
from autograder.course.screen import Screen
from autograder.exercise import Kit
from autograder.folder import OnDisk
from autograder.handin import Found, Submission, digest
from autograder.results import Results, SubmissionResult, submission_from_json

OVERRIDES = "overrides.csv"


@dataclass(frozen=True)
class Kept:
    """What the kit remembers of a student's grading.

    Attributes
    ----------
    result : SubmissionResult
    when : str
        When it was graded, UTC.
    submitted : str
        The hand-in's own time, or "".
    digest : str
        What was handed in.
    """

    result: SubmissionResult
    when: str
    submitted: str
    digest: str
    earlier: tuple[dict[str, Any], ...] = ()


@dataclass
class Session:
    """Grades students of one course in this process."""

    course: Course
    grader: Grader = field(init=False)
    screen: Screen = field(init=False)

    def __post_init__(self) -> None:
        kit = self.course.kit()
        self.kit = kit
        chosen = self.course.chosen(kit)
        self.grader = Grader(kit, chosen, self.course.lang, self.course.secret())
        self.screen = Screen(self.grader.sandbox.cage)
        record.clear(self.course.record("any").parent)

    @cached_property
    def isolation(self) -> tuple[str, ...]:
        """The level that this process' sandbox reaches, then its layers."""
        return self.grader.sandbox.level, *self.grader.sandbox.layers

    def close(self) -> None:
        """End every process."""
        self.grader.close()
        self.screen.close()

    def read(self, folder: Path, student: str) -> Submission:
        """Read what stands in a student's folder, as `attn grade` reads a folder."""
        found = Found(student, self.kit.ids, [("", OnDisk.at(folder), student)])
        return found.read()

    def grade(self, submission: Submission) -> SubmissionResult:
        """Grade; nothing is remembered of it yet."""
        return self._marked(self.grader.grade(submission))

    def keep(self, submission: Submission, result: SubmissionResult, submitted: str) -> None:
        """Remember a grading with the ones before it."""
        keep(self.course, submission, result, submitted)

    def _marked(self, result: SubmissionResult) -> SubmissionResult:
        """Set the marks that ``overrides.csv`` in the course's folder gives this student."""
        path = self.course.root / OVERRIDES
        if result.score is None or not path.is_file():
            return result
        own = [each for each in overrides.read(path) if each.id == result.id]
        one = Results(__version__, (self.grader.sandbox.level,), (result,))
        return overrides.apply(one, own).submissions[0]


def notebook_of(submission: Submission) -> bytes | None:
    """Give the notebook among the files that were handed in."""
    books = [(name, data) for name, data in submission.files if name.endswith(".ipynb")]
    named = [data for name, data in books if name == NOTEBOOK]
    return next(iter(named or [data for _, data in books]), None)


def keep(course: Course, submission: Submission, result: SubmissionResult, submitted: str) -> None:
    """Remember a result; one for other files, or of another time, stays as history."""
    earlier: list[dict[str, Any]] = []
    before = kept(course, result.id)
    key = digest(submission)
    if before is not None:
        earlier = list(before.earlier)
        if (before.digest, before.submitted) != (key, submitted):
            earlier.append(
                {
                    "when": before.when,
                    "submitted": before.submitted,
                    "status": before.result.status,
                    "score": before.result.score,
                }
            )
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M:%S")
    tree = {
        "when": now,
        "submitted": submitted,
        "digest": key,
        "earlier": earlier[-20:],
        "result": result.to_json(),
    }
    record.write_whole(course.record(result.id), record.dumps(tree), durable=False)


def kept(course: Course, student: str) -> Kept | None:
    """Give what was remembered of a student; None where there is nothing."""
    path = course.record(student)
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return Kept(
            submission_from_json(told["result"]),
            told["when"],
            told["submitted"],
            told["digest"],
            tuple(told["earlier"]),
        )
    except FileNotFoundError:
        return None


_sessions: dict[Path, tuple[object, Session]] = {}


def session(root: Path) -> Session:
    """Give this process' session for a course, made anew where graders or settings have changed.

    A formgrader runs for weeks, and must not grade by what a grader was when it started.
    """
    course = find_course(root)
    state = course, _state(course.kit())
    if root in _sessions:
        before, made = _sessions[root]
        if before == state:
            return made
        made.close()
    elif not _sessions:
        atexit.register(_close_all)
    _sessions[root] = state, Session(course)
    return _sessions[root][1]


def _state(kit: Kit) -> list[tuple[str, int, int]]:
    """Give what changes when a file of the kit is saved."""
    folders = (kit.graders, kit.mistakes, kit.root / "solutions")
    found = [(path, path.stat()) for folder in folders for path in sorted(folder.glob("*.py"))]
    return [(str(path), stat.st_mtime_ns, stat.st_size) for path, stat in found]


def _close_all() -> None:
    for _, made in _sessions.values():
        made.close()
