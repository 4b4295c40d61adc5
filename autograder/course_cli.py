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
whomoption = click.option(
    "--students",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Class list: a CSV with the columns id, first_name, last_name, email.",
)


@click.group()
def course_command() -> None:
    """An nbgrader course, from an empty folder to grades.

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
    click.echo("attn: writing the notebook, then nbgrader's gradebook …", err=True)
    made = make(folder, find_kit(kit), exercises, listed, language(lang))
    whom = "1 student" if len(listed) == 1 else f"{len(listed)} students"
    click.echo(f"{made.root}: a course with {whom}.")
    click.echo(f"Next: attn course release --course {folder}")
    sys.exit(DONE)


@course_command.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@exercise_option
@whomoption
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
@whomoption
@kit_option
@lang_option
def add(
    folder: Path,
    exercises: tuple[str, ...],
    students: Path | None,
    kit: Path | None,
    lang: str | None,
) -> None:
    """Add the assignment to a course."""
    _make("add", folder, exercises, students, kit, lang)


@course_command.command()
@click.option("--publish", is_flag=True, help="Put it on nbgrader's exchange as well.")
@course_option
def release(publish: bool, course: Path) -> None:
    """Make what students get, and prove it.

    The notebook, its self-checks, the quiz, the prompts, the kit's wheel and a README; the whole
    folder is looked through for solutions, hidden checks and known mistakes.
    """
    from autograder.course import steps
    from autograder.course.place import find_course
    from autograder.messages import ui

    found = find_course(course)
    problems = steps.release(found, click.echo, publish=publish)
    for sentence in problems:
        click.echo(f"attn: not released: {sentence}", err=True)
    if problems:
        sys.exit(NAMED)
    folder = found.release.parent
    key = "give" if any(folder.glob("*.whl")) else "give_bare"
    click.echo(ui(f"course.{key}", found.lang, folder=folder))


@course_command.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only say what would be taken.")
@course_option
def collect(paths: tuple[Path, ...], dry_run: bool, course: Path) -> None:
    """Take hand-ins from zips, folders, exchange.

    PATHS are zips and folders of Canvas, Moodle, Blackboard or mail; without them, nbgrader's
    exchange.
    """
    from autograder.course import steps
    from autograder.course.place import find_course

    done = steps.collect(find_course(course), click.echo, paths, dry=dry_run)
    for each in done.taken:
        late = ", late" if each.late else ""
        when = each.time.strftime(" %Y-%m-%d %H:%M UTC") if each.time else ""
        files = f" → {', '.join(each.files)}" if each.files else ""
        note = f" ({each.note})" if each.note else ""
        whose = each.student or "nobody"
        click.echo(f"{each.outcome}{late}: {each.original} → {whose}{files}{when}{note}")
    if done.missing:
        click.echo(f"Nothing from: {', '.join(done.missing)}")
    sys.exit(NAMED if done.troubled else DONE)


@course_command.command()
@click.option("--jobs", "-j", default=0, type=click.IntRange(0, 256), help="Default: all cores.")
@click.option("--force", is_flag=True, help="Grade again what has not changed.")
@click.option("--student", "students", multiple=True, help="Grade only this one; repeatable.")
@course_option
def grade(jobs: int, force: bool, students: tuple[str, ...], course: Path) -> None:
    """Grade whoever handed in.

    Scores go into the gradebook and into results.json.
    """
    import os

    from autograder.course import steps
    from autograder.course.place import find_course

    found = find_course(course)
    isolation: tuple[str, ...] = ()
    total = len(students) or len(steps.handed_in(found))
    troubled = 0
    jobs = jobs or os.cpu_count() or 1
    outcomes = steps.grade(found, click.echo, jobs=jobs, force=force, students=students)
    for number, told in enumerate(outcomes, start=1):
        score = "no score" if told["score"] is None else f"{told['score']:g}"
        said = told["reason"] or f"{told['status']}, {score}"
        click.echo(f"[{number}/{total}] {told['student']}: {said}")
        troubled += told["reason"] is not None or told["score"] is None
        isolation = isolation or tuple(told["isolation"])
    if not isolation:  # nobody was graded anew
        from autograder.sandbox import Sandbox

        with Sandbox() as sandbox:
            isolation = (sandbox.level, *sandbox.layers)
    click.echo(f"{steps.write_results(found, isolation)} · isolation {isolation[0]}")
    sys.exit(NAMED if troubled else DONE)


@course_command.command()
@click.option("--no-feedback", is_flag=True, help="Write the grades files only.")
@click.option("--late", help="What lateness costs: none, zero, 10%/day or “10%/day, max 50%”.")
@course_option
def report(no_feedback: bool, late: str | None, course: Path) -> None:
    """Write feedback and grades files.

    A page for every student in feedback/, nbgrader's own export, and grades.csv.
    """
    from autograder.course import steps
    from autograder.course.place import ASSIGNMENT, find_course
    from autograder.late import parse_rule
    from autograder.messages import ui

    rule = None if late is None else parse_rule(late)
    found = find_course(course)
    for path in steps.report(found, click.echo, feedback=not no_feedback, late=rule):
        click.echo(path)
    if not no_feedback:
        page = found.root / "feedback" / "*" / ASSIGNMENT / "attention.html"
        click.echo(ui("course.return_feedback", found.lang, page=page))
