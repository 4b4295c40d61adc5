"""The commands about a graded class: export, report, compare, preview. Words in, files out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from autograder.export.formats import FORMATS

if TYPE_CHECKING:
    from autograder.course.roster import Student
    from autograder.quizbook import Counted
    from autograder.rehearse import Stage
    from autograder.results import Results

DONE, NAMED, USAGE = 0, 1, 2

results_argument = click.argument(
    "results", type=click.Path(path_type=Path, exists=True), metavar="RESULTS"
)
lang_option = click.option(
    "--lang", type=click.Choice(["en", "zh"]), help="Language (default: ATTN_LANG, then locale)."
)
kit_option = click.option(
    "--kit",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the instructor's material (default: ATTN_KIT, then upward from here).",
)
roster_option = click.option(
    "--roster",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Class list: a CSV with the columns id, first_name, last_name, email.",
)
due_option = click.option("--due", help="Deadline, such as 2026-11-29 23:59 (UTC) or with +01:00.")
times_option = click.option(
    "--times",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="When hand-ins came: a CSV with the columns id, submitted and, for extensions, due.",
)


def _read(results: Path) -> Results:
    """Read RESULTS: the file, or the folder that holds it."""
    from autograder.messages import language
    from autograder.packed import read_results
    from autograder.results import ResultsError
    from autograder.summary import stopped

    path = results / "results.json" if results.is_dir() else results
    try:
        found = read_results(path)  # of a large class, many times as fast as `results.read`
    except FileNotFoundError:
        raise click.UsageError(f"{path} is not there: `attn grade` writes it.") from None
    except ResultsError as error:
        raise click.UsageError(str(error)) from None
    for sentence in stopped(found.waiting, language()):
        click.echo(f"attn: {path}: {sentence}", err=True)
    return found


def _listed(roster: Path | None) -> list[Student] | None:
    from autograder.course.roster import near, read_roster

    if roster is None:
        return None
    found = read_roster(roster, folders=False)
    ids = [each.id for each in found]
    for each in ids:
        other = near(each, ids)
        if other is not None and other > each:
            click.echo(f"attn: {each!r} and {other!r} are two students, and look alike.", err=True)
    return found


def _late(
    times: Path | None, due: str | None, found: Results, listed: Sequence[Student] | None
) -> dict[str, float]:
    """Give who is late; who stands in the table alone is told, and is late nowhere."""
    from autograder import late
    from autograder.course.roster import near

    if times is None:
        if due is not None:
            raise click.UsageError("--due needs --times: when did each hand-in come?")
        return {}
    told = late.read_times(times)
    if due is None and not told.due:
        raise click.UsageError(f"{times} has no column due: say the deadline by --due.")
    known = [*dict.fromkeys([*(s.id for s in found.submissions), *(s.id for s in listed or ())])]
    for each in sorted({*told.submitted, *told.due} - set(known)):
        hint = near(each, known)
        like = f"; {hint!r} looks like it" if hint else ""
        click.echo(f"attn: {times} names {each!r}, who did not hand in{like}.", err=True)
    seconds = late.seconds_late(told, late.parse_time(due) if due else None)
    return {id: many for id, many in seconds.items() if id in known}


@click.command()
@click.argument("format", type=click.Choice(FORMATS), metavar="FORMAT")
@results_argument
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="File, - for standard output; a folder for formats of one hand-in a file.",
)
@click.option("--submission", help="Only this hand-in.")
@roster_option
@click.option(
    "--missing",
    type=click.Choice(["blank", "zero"]),
    default="blank",
    show_default=True,
    help="What stands where there is no score.",
)
@click.option(
    "--title", default="Attention exercises", show_default=True, help="The column's name."
)
@times_option
@due_option
@click.option("--late", "rule", default="none", show_default=True, help="none, zero, 10%/day …")
@lang_option
def export_command(
    format: str,
    results: Path,
    out: Path,
    submission: str | None,
    roster: Path | None,
    missing: Literal["blank", "zero"],
    title: str,
    times: Path | None,
    due: str | None,
    rule: str,
    lang: str | None,
) -> None:
    """Write results as other systems read them.

    \b
    FORMAT is one of: gradescope, github-classroom, exercism (one hand-in a
    file: choose it by --submission, or name a folder), junit, canvas, moodle,
    csv, csv-long (the class in one file).
    RESULTS is results.json, or the folder that it stands in.
    """
    from autograder import late
    from autograder.course.roster import near
    from autograder.export import formats
    from autograder.export.entries import gradebook
    from autograder.messages import language

    found, listed, by = _read(results), _listed(roster), late.parse_rule(rule)
    if times is None and by.per_day:
        raise click.UsageError("--late needs --times: when did each hand-in come?")
    off = late.penalties(found, _late(times, due, found, listed), by)
    book = gradebook(found, listed, missing=missing, title=title, penalties=off)
    for path in formats.write(book, format, out, language(lang), submission):
        if path != formats.STDOUT:
            _wrote(path)
    for each in book.unknown:
        hint = near(each.id, [one.id for one in book.entries])
        like = f"; {hint!r} there looks like it" if hint else ""
        click.echo(f"attn: {each.id!r} handed in and is not on the class list{like}.", err=True)
    for each in book.entries if listed else ():
        if each.submission is None:
            click.echo(f"attn: {each.id!r} is on the class list and did not hand in.", err=True)
    sys.exit(NAMED if book.unknown else DONE)


@click.command()
@results_argument
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write: .html, .md or .csv (default: the terminal).",
)
@click.option(
    "--quiz",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder of hand-ins that hold quiz-answers.json: what the class predicted.",
)
@click.option("--anonymise", is_flag=True, help="Number the students; leave their own words out.")
@roster_option
@times_option
@due_option
@kit_option
@lang_option
def report_command(
    results: Path,
    out: Path | None,
    quiz: Path | None,
    anonymise: bool,
    roster: Path | None,
    times: Path | None,
    due: str | None,
    kit: Path | None,
    lang: str | None,
) -> None:
    """Show what a class knows: scores, exercises, misconceptions, what needs a look."""
    from autograder.analysis import analyse
    from autograder.export import lecture_page, lecture_text
    from autograder.messages import language
    from autograder.record import write_whole

    spoken = language(lang)
    found = _read(results)
    listed = _listed(roster)
    counted = analyse(
        found,
        listed=None if listed is None else [each.id for each in listed],
        late=sorted(_late(times, due, found, listed)),
        quiz=_quiz(quiz, kit) if quiz else _packed_quiz(found),
        anonymise=anonymise,
    )
    if out is None:
        click.echo(lecture_text.markdown(counted, spoken, lecture_text.SHOWN), nl=False)
        sys.exit(DONE)
    if out.suffix == ".md":
        text = lecture_text.markdown(counted, spoken)
    elif out.suffix == ".csv":
        text = lecture_text.sheet(counted)
    elif out.suffix in (".html", ".htm"):
        stage = _stage(kit)
        text = lecture_page.report_page(
            counted, found.kit, spoken, stage.contrast if stage else None
        )
    else:
        raise click.UsageError(f"{out.name}: the file ends in .html, .md or .csv.")
    write_whole(out, text.encode("utf-8", "backslashreplace"))
    _wrote(out)


def _wrote(path: Path) -> None:
    """Name a file that was written, beside what goes to /dev/stdout."""
    click.echo(path, err=path.as_posix().startswith(("/dev/", "/proc/")))


def _packed_quiz(found: Results) -> list[Counted]:
    """Count what packed hand-ins carried of the quiz, as it was judged when they were graded."""
    from autograder.quizbook import tally

    return tally(each.quiz for each in found.submissions)


def _quiz(folder: Path, kit: Path | None) -> list[Counted]:
    from autograder import quizbook
    from autograder.exercise import find_kit
    from autograder.quizslip import RECORD

    paths = sorted(folder.rglob(RECORD))
    if not paths:
        click.echo(f"attn: no hand-in in {folder} holds {RECORD}.", err=True)
    records = (quizbook.answers(path.parent) for path in paths)
    return quizbook.count(find_kit(kit).graders, records)


def _stage(kit: Path | None) -> Stage | None:
    """Give what draws pictures; without the kit a report has none."""
    from autograder.exercise import KitNotFound, find_kit
    from autograder.rehearse import Stage

    try:
        # As for grading: the kit's code runs, and the working directory may be a hand-in.
        return Stage(find_kit(kit, graded=[Path()]))
    except KitNotFound:
        if kit is not None:
            raise
        return None


@click.command()
@click.argument("old", type=click.Path(path_type=Path, exists=True), metavar="OLD")
@click.argument("new", type=click.Path(path_type=Path, exists=True), metavar="NEW")
@lang_option
def compare_command(old: Path, new: Path, lang: str | None) -> None:
    """Say whose score moved between two results, in which checks, and why.

    \b
    attn compare graded/results.previous.json graded/results.json
    """
    from autograder import regrade
    from autograder.messages import language

    for line in regrade.lines(regrade.compare(_read(old), _read(new)), language(lang)):
        click.echo(line)


@click.command()
@click.option("--mistake", metavar="CODE", help="A known mistake's code, such as MASK-AFTER.")
@click.option("--list", "listing", is_flag=True, help="List the codes of all known mistakes.")
@click.option(
    "--exercise", "-e", help="Where it is made (default: the first exercise that has it)."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the graded page and the results as files.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what results.json would hold, alone.")
@kit_option
@lang_option
def preview_command(
    mistake: str | None,
    listing: bool,
    exercise: str | None,
    out: Path | None,
    as_json: bool,
    kit: Path | None,
    lang: str | None,
) -> None:
    """Show what a student would see for a known mistake: at her desk, graded, in the results."""
    from autograder import preview
    from autograder.exercise import find_kit
    from autograder.messages import language
    from autograder.rehearse import Stage

    spoken, stage = language(lang), Stage(find_kit(kit))
    if listing or mistake is None:
        _print(preview.listing(stage, spoken, exercise))
        sys.exit(DONE if listing else USAGE)
    shown = preview.preview(stage, mistake, exercise, spoken)
    _print([shown.json()] if as_json else shown.lines(spoken))
    if out is not None:
        for path in shown.write(out, spoken):
            click.echo(path, err=as_json)


def _print(lines: Sequence[str]) -> None:
    for line in lines:
        click.echo(line)


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The zip to write, for Gradescope's “Configure Autograder”.",
)
@click.option("--run", "root", type=click.Path(path_type=Path, exists=True), hidden=True)
@kit_option
@lang_option
def gradescope_command(
    out: Path | None, root: Path | None, kit: Path | None, lang: str | None
) -> None:
    """Make the kit a Gradescope autograder: a zip with setup.sh and run_autograder.

    It holds graders and solutions, so it is for the instructor alone.
    """
    from autograder import gradescope
    from autograder.exercise import find_kit
    from autograder.messages import language

    if (out is None) == (root is None):
        raise click.UsageError("Say where the zip goes: --out autograder.zip")
    spoken = language(lang)
    if out is not None:
        click.echo(gradescope.pack(find_kit(kit), out, spoken))
    if root is not None:
        click.echo(gradescope.run(find_kit(kit or root / "source" / "kit"), root, spoken))
