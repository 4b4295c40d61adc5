"""Make an nbgrader course: its configuration, the source notebook, the gradebook, the students."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autograder.check import points_of
from autograder.course.place import (
    ASSIGNMENT,
    NOTEBOOK,
    SETTINGS,
    Course,
    CourseError,
    write_settings,
)
from autograder.course.roster import Student
from autograder.course.running import inside
from autograder.exercise import Kit, given_sources
from autograder.grade import load_checks
from autograder.messages import Lang
from autograder.notebook import notebook

CONFIG = "nbgrader_config.py"
CONFIG_TEXT = """\
# This nbgrader course. `nbgrader` commands are run in this folder.
c = get_config()

c.CourseDirectory.course_id = "{course_id}"

# Where notebooks change hands with students on one machine, for `nbgrader release_assignment`
# and `nbgrader collect`. Take the sign away and name a folder that all can write.
# c.Exchange.root = "/srv/nbgrader/exchange"

# Students' code runs isolated, the graders apart from it; a batch never stops. Without these two
# lines stock nbgrader runs everything in the student's own kernel: for trusted students only.
from autograder.course.settings import configure
configure(c, __file__)
"""
ADDED = """

# Added by `attn course add`: students' code of `attention` runs isolated, the graders apart.
from autograder.course.settings import configure
configure(c, __file__)
"""


def init(
    root: Path, kit: Kit, exercises: Sequence[str], students: Sequence[Student], lang: Lang
) -> Course:
    """Make a course in a folder that is empty or not yet there.

    Raises
    ------
    CourseError
        Where the folder holds something, an exercise does not exist, or nbgrader fails.
    """
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise CourseError(
            f"{root} is not empty: name a new folder, or serve an existing course by "
            "`attn course add`."
        )
    chosen = _chosen(kit, exercises)
    root.mkdir(parents=True, exist_ok=True)
    course = Course(root.resolve(), kit.root.resolve(), chosen, lang)
    with _whole_or_not(root):
        text = CONFIG_TEXT.format(course_id=_course_id(root))
        (root / CONFIG).write_text(text, encoding="utf-8")
        _fill(course, kit, students)
    return course


def add(
    root: Path, kit: Kit, exercises: Sequence[str], students: Sequence[Student], lang: Lang
) -> Course:
    """Add the assignment to an existing nbgrader course; what is there stays as it is.

    Raises
    ------
    CourseError
        Where there is no nbgrader course, or the assignment is in it already, or its folders
        have other names than nbgrader gives them.
    """
    config = root / CONFIG
    if not config.is_file():
        raise CourseError(f"{root} is no nbgrader course: there is no {CONFIG} in it.")
    if (root / SETTINGS).exists() or (root / "source" / ASSIGNMENT).exists():
        raise CourseError(f"{root} has the assignment {ASSIGNMENT} already.")
    chosen = _chosen(kit, exercises)
    course = Course(root.resolve(), kit.root.resolve(), chosen, lang)
    if unusual := inside(course, "autograder.course.unusual", "renamed"):
        raise CourseError(
            f"{config} sets {', '.join(unusual)}, which the kit's commands cannot follow: make a "
            "course of its own by `attn course init`."
        )
    with _whole_or_not(root):
        _fill(course, kit, students)
        with config.open("a", encoding="utf-8") as file:
            file.write(ADDED)
    return course


@contextmanager
def _whole_or_not(root: Path) -> Iterator[None]:
    """Take away what was made, where making it fails, so that it can be tried again."""
    before = set(root.iterdir())
    source = root / "source" / ASSIGNMENT
    try:
        yield
    except BaseException:  # also where somebody stops it
        shutil.rmtree(source, ignore_errors=True)
        for path in sorted(set(root.iterdir()) - before):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        raise


def _chosen(kit: Kit, exercises: Sequence[str]) -> tuple[str, ...]:
    for each in exercises:
        if each not in kit.ids:
            raise CourseError(f"There is no exercise {each!r}; there are: {', '.join(kit.ids)}.")
    return tuple(each for each in kit.ids if each in exercises)


def _course_id(root: Path) -> str:
    kept = "".join(c for c in root.resolve().name if c.isalnum() or c in "-_")
    return kept or ASSIGNMENT


def _fill(course: Course, kit: Kit, students: Sequence[Student]) -> None:
    write_settings(course)
    course.secret()
    course.source.parent.mkdir(parents=True)
    course.source.write_text(source_notebook(kit, course), encoding="utf-8")
    for name in ("test_exercises.py", "checks.json"):  # a student's self-checks
        shutil.copyfile(kit.bundle / name, course.source.with_name(name))
    for step in ("release", "submitted"):
        course.step(step).mkdir(exist_ok=True)
    told = [[each.id, each.first_name, each.last_name, each.email] for each in students]
    inside(course, "autograder.course.gradebook", "enrol", told)


def source_notebook(kit: Kit, course: Course) -> str:
    """Give the notebook with solutions, of which `generate_assignment` makes the students'."""
    chosen = course.chosen(kit)
    checks = load_checks(kit.graders, chosen)
    points = {each: points_of(checks[each]) for each in chosen}
    text = notebook(kit, points, course.lang, solutions=True)
    book = json.loads(text)
    book["cells"][1:1] = _given_cells(kit, chosen)
    return json.dumps(book, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _given_cells(kit: Kit, chosen: Sequence[str]) -> list[dict[str, Any]]:
    """Give locked cells with the functions of earlier exercises that are not set."""
    wanted = needed(kit, chosen)
    sources = given_sources(kit)
    cells = []
    for each in kit.ids:
        if each not in wanted:
            continue
        lines = [line for line in sources[each].split("\n") if not _imports_exercise(line, kit)]
        cells.append(
            {
                "cell_type": "code",
                "execution_count": None,
                "id": f"given-{each.replace('_', '-')}",
                "metadata": {
                    "deletable": False,
                    "editable": False,
                    "nbgrader": {
                        "cell_type": "code", "grade": False, "grade_id": f"given_{each}",
                        "locked": True, "schema_version": 3, "solution": False, "task": False,
                    },
                },
                "outputs": [],
                "source": (f"# {each}: given\n" + "\n".join(lines).strip()).splitlines(True),
            }
        )  # fmt: skip
    return cells


def needed(kit: Kit, chosen: Sequence[str]) -> set[str]:
    """Give the exercises that the chosen ones build on and that are not chosen themselves."""
    found: set[str] = set()
    waiting = list(chosen)
    while waiting:
        text = kit.exercise(waiting.pop()).source
        for each in kit.ids:
            named = f"from {each} import " in text
            if named and each not in found and each not in chosen:
                found.add(each)
                waiting.append(each)
    return found


def _imports_exercise(line: str, kit: Kit) -> bool:
    parts = line.split()
    return len(parts) > 3 and parts[0] == "from" and parts[2] == "import" and parts[1] in kit.ids


__all__ = ["NOTEBOOK", "add", "init", "needed", "source_notebook"]
