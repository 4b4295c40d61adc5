"""Grade one folder for a grade cell of stock nbgrader: JSON out, exercise to score and feedback.

Run as ``python -P -m autograder.course.onefolder FOLDER``. It needs no nbgrader. The folder is a
student's: nothing that decides the grade (course, kit, secret) is looked for in it.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from pathlib import Path

from autograder.batch import Grader
from autograder.check import points_of
from autograder.course.pages import exercise_page, unreadable_page
from autograder.course.place import Course, CourseError, find_course
from autograder.exercise import KitNotFound, SourceError, find_kit
from autograder.folder import OnDisk
from autograder.grade import KitFault
from autograder.handin import Found
from autograder.messages import language
from autograder.sandbox import SandboxFault


def graded(folder: Path) -> dict[str, tuple[float, float, str]]:
    """Give each exercise's score, maximum and feedback of what lies in a folder."""
    course = _course(folder)
    if course is None:  # a notebook that lies in no course of ours: the kit itself may be near
        kit, student = find_kit(graded=[folder], start=folder.parent), folder.name
        lang, secret = language(), _secret()
        grader = Grader(kit, kit.ids, lang, secret)
    else:
        kit, student, lang = course.kit(), folder.parent.name, course.lang
        grader = Grader(kit, course.chosen(kit), lang, course.secret())
    try:
        submission = Found(student, kit.ids, [("", OnDisk.at(folder), student)]).read()
        result = grader.grade(submission)
        if result.status == "graded":
            return {
                each.exercise: (each.score, each.max_score, exercise_page(each, lang))
                for each in result.exercises
            }
        page = unreadable_page(result, lang)
        return {
            name: (0.0, points_of(checks), page) for name, checks in grader.graders.checks.items()
        }
    finally:
        grader.close()


def _course(folder: Path) -> Course | None:
    try:
        return find_course(folder.parent)
    except CourseError:
        return None


def _secret() -> bytes:
    told = os.environ.get("ATTN_SECRET")
    return told.encode("utf-8", "surrogateescape") if told else secrets.token_bytes(32)


def main() -> None:
    """Answer in one line of JSON; a fault is one line of text and exit code 3."""
    try:
        found = graded(Path(sys.argv[1]).resolve())
    except (KitFault, KitNotFound, SandboxFault, SourceError, CourseError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(3)
    sys.stdout.write("\n" + json.dumps(found))


if __name__ == "__main__":
    main()
