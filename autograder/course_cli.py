"""The command `attn course`: an nbgrader course from an empty folder to returned feedback.

Words in, exit codes out; each step's work stands in `autograder.course`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

DONE, NAMED = 0, 1

kit_option = click.option(
    "--kit",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the instructor's material (default: ATTN_KIT, then upward from here).",
)
lang_option = click.option(
    "--lang", type=click.Choice(["en", "zh"]), help="Language (default: ATTN_LANG, then locale)."
)
course_option = click.option(
    "--course",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="Folder of the course (default: the working directory).",
)
exercise_option = click.option(
    "--exercise", "-e", "exercises", multiple=True, help="Set only these exercises; repeatable."
)
students_option = click.option(
    "--students",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Class list: a CSV with the columns id, first_name, last_name, email.",
)


@click.group()
def course_command() -> None:
    """An nbgrader course: init, add, release, collect, grade, report.

    \b
    Students' code runs isolated where the course's configuration is used. Plain nbgrader runs it
    together with its graders in one kernel: for trusted students only.
    """


def _make(
    how: str,
    folder: Path,
    exercises: tuple[str, ...],
    students: Path | None,
    kit: Path | None,
    lang: str | None,
) -> None:
    from autograder.course import setup
    from autograder.course.roster import read_roster
    from autograder.exercise import find_kit
    from autograder.messages import language

    listed = [] if students is None else read_roster(students)
    make = setup.init if how == "init" else setup.add
    made = make(folder, find_kit(kit), exercises, listed, language(lang))
    click.echo(f"{made.root}: a course with {len(listed)} students.")
    click.echo(f"Next: attn course release --course {folder}")
    sys.exit(DONE)


@course_command.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@exercise_option
@students_option
@kit_option
@lang_option
def init(
    folder: Path,
    exercises: tuple[str, ...],
    students: Path | None,
    kit: Path | None,
    lang: str | None,
) -> None:
    """Make a course in an empty folder."""
    _make("init", folder, exercises, students, kit, lang)


@course_command.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@exercise_option
@students_option
@kit_option
@lang_option
def add(
    folder: Path,
    exercises: tuple[str, ...],
    students: Path | None,
    kit: Path | None,
    lang: str | None,
) -> None:
    """Add the assignment to an existing nbgrader course."""
    _make("add", folder, exercises, students, kit, lang)
