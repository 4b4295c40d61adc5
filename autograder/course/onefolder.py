"""Grade one folder for a grade cell of stock nbgrader: JSON out, exercise to score and feedback.

Run as ``python -m autograder.course.onefolder FOLDER``. It needs no nbgrader.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from autograder.batch import Grader
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
    kit = course.kit()
    grader = Grader(kit, course.chosen(kit), course.lang, course.secret())
    try:
        student = folder.parent.name if course.root in folder.parents else folder.name
        submission = Found(student, kit.ids, [("", OnDisk.at(folder), student)]).read()
        result = grader.grade(submission)
        if result.status == "graded":
            return {
                each.exercise: (each.score, each.max_score, exercise_page(each, course.lang))
                for each in result.exercises
            }
        page = unreadable_page(result, course.lang)
        return {
            name: (0.0, sum(check.declared.points for check in checks), page)
            for name, checks in grader.graders.checks.items()
        }
    finally:
        grader.close()


def _course(folder: Path) -> Course:
    try:
        return find_course(folder)
    except CourseError:  # a notebook that lies in no course of ours: the kit itself may be near
        return Course(folder, find_kit().root, (), language())


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
