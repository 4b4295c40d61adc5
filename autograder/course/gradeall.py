"""Grade a course's students side by side: nbgrader imported once, its converter in each process.

Run as ``python -m autograder.course.gradeall COURSE JOBS FORCE``: one line of JSON a student on
standard output as they end. It does what `nbgrader autograde attention` does, and writes the same.
"""

from __future__ import annotations

import glob
import json
import logging
import multiprocessing
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from autograder.course.place import ASSIGNMENT, read_course
from autograder.course.session import kept

_app: list[Any] = []


def main() -> None:
    """Grade every student, or those that are named."""
    root, jobs, force = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "force"
    named = sys.argv[4:]
    os.chdir(root)
    warnings.simplefilter("ignore")
    _app.append(_open(force))
    students = named or sorted(
        path.parent.name for path in (root / "submitted").glob(f"*/{ASSIGNMENT}") if path.is_dir()
    )
    fork = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    if jobs == 1 or len(students) < 2 or not fork:
        for student in students:
            _say(_grade((str(root), student)))
        return
    context = multiprocessing.get_context("fork")
    with context.Pool(min(jobs, len(students))) as pool:
        for told in pool.imap_unordered(_grade, [(str(root), each) for each in students]):
            _say(told)


def _open(force: bool) -> Any:
    from nbgrader.apps.autogradeapp import AutogradeApp

    app = AutogradeApp()
    app.initialize([ASSIGNMENT, *(["--force"] if force else [])])
    app.coursedir.assignment_id = ASSIGNMENT
    app.log.setLevel(logging.CRITICAL)
    return app


def _grade(asked: tuple[str, str]) -> dict[str, Any]:
    from nbgrader.apps import autogradeapp
    from nbgrader.converters.base import NbGraderException

    root, student = asked
    app = _app[0]
    app.coursedir.student_id = glob.escape(student)
    converter = autogradeapp.Autograde(coursedir=app.coursedir, parent=app)
    reason = None
    try:
        converter.start()
    except NbGraderException as error:
        reason = str(error)
    found = kept(read_course(Path(root)), student)
    return {
        "student": student,
        "status": None if found is None else found.result.status,
        "score": None if found is None else found.result.score,
        "reason": reason,
    }


def _say(told: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
