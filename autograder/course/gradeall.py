"""Grade a course's students: nbgrader imported once, its converter in processes side by side.

Run as ``python -m autograder.course.gradeall COURSE JOBS FORCE [STUDENT…]``: one line of JSON a
student on standard output as they end. It does what `nbgrader autograde attention` does, and
writes the same.
"""

from __future__ import annotations

import glob
import json
import logging
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.course.place import ASSIGNMENT, Course, read_course
from autograder.course.session import kept

if TYPE_CHECKING:
    from autograder.course.convert import Told


def main() -> None:
    """Grade every student, or those that are named."""
    root, jobs, force = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "force"
    students = sys.argv[4:]
    os.chdir(root)
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGTERM, _stop)
    course = read_course(root)
    if not any((root / "submitted").glob(f"*/{ASSIGNMENT}")):
        return
    app = opened(force)
    from nbgrader.apps import autogradeapp
    from nbgrader.converters.base import NbGraderException

    converter = autogradeapp.Autograde(coursedir=app.coursedir, parent=app)
    if not hasattr(converter, "say"):
        _as_nbgrader_does(app, students)
        return
    converter.jobs, converter.only = jobs, students
    converter.say = lambda told: _say(course, told)
    try:
        converter.start()
    except NbGraderException as error:
        if not converter.failed:  # else each was told as it came
            raise SystemExit(str(error)) from error
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _as_nbgrader_does(app: Any, students: Sequence[str]) -> None:
    """Grade one student after another where the course is not configured to use the kit."""
    from nbgrader.apps import autogradeapp
    from nbgrader.converters.base import NbGraderException

    for path in sorted(Path("submitted").glob(f"*/{ASSIGNMENT}")):
        student, reason, score = path.parent.name, None, None
        if students and student not in students:
            continue
        app.coursedir.student_id = glob.escape(student)
        try:
            autogradeapp.Autograde(coursedir=app.coursedir, parent=app).start()
            score = _score(student)
        except NbGraderException as error:
            reason = str(error)
        _line(student, None if score is None else "graded", score, reason)


def _score(student: str) -> float | None:
    from autograder.course.gradebook import open_gradebook

    with open_gradebook(Path()) as gradebook:
        return float(gradebook.find_submission(ASSIGNMENT, student).score)


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def opened(force: bool) -> Any:
    """Give nbgrader's own command, ready to be run in this process."""
    # Building this module's grammars costs two seconds, and it checks nothing that is used here:
    # jsonschema does without.
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
    from nbgrader.apps.autogradeapp import AutogradeApp

    app = AutogradeApp()
    app.initialize([ASSIGNMENT, *(["--force"] if force else [])])
    app.coursedir.assignment_id = ASSIGNMENT
    app.log.setLevel(logging.CRITICAL)
    return app


def _say(course: Course, told: Told) -> None:
    status, score = told.status, told.score
    if status is None and told.reason is None:  # graded before, and not again
        found = kept(course, told.student)
        if found is not None:
            status, score = found.result.status, found.result.score
    _line(told.student, status, score, told.reason, told.isolation)


def _line(
    student: str,
    status: str | None,
    score: float | None,
    reason: str | None,
    isolation: Sequence[str] = (),
) -> None:
    line: dict[str, Any] = {"student": student, "status": status, "score": score, "reason": reason}
    line["isolation"] = list(isolation)
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
