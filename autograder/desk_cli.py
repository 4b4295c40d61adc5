"""The student's commands: check, hint, list. Words in, words and an exit code out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from autograder import __version__, messages, verdict
from autograder.desk import Desk, check, find_folder, open_desk
from autograder.judge import Judged
from autograder.messages import Lang

dir_option = click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the exercises (default: here, then upwards).",
)
lang_option = click.option(
    "--lang", type=click.Choice(["en", "zh"]), help="Language (default: ATTN_LANG, then locale)."
)


@click.command("check")
@click.argument("exercises", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the results schema's JSON.")
@dir_option
@lang_option
def check_command(
    exercises: tuple[str, ...], as_json: bool, folder: Path | None, lang: str | None
) -> None:
    """Run the visible checks of some exercises, or of all."""
    speech = messages.language(lang)
    desk = open_desk(find_folder(folder))
    found = check(desk, exercises)
    if as_json:
        click.echo(_json(desk, found, speech))
    else:
        click.echo("\n".join(_told(desk, found, speech)))
    sys.exit(0 if all(judged.passed for judged in found) else 1)


def _told(desk: Desk, found: list[Judged], lang: Lang) -> list[str]:
    lines: list[str] = []
    for judged in found:
        lines += [*verdict.lines(judged, desk.about(judged.exercise), lang), ""]
    return [*lines, verdict.summary(found, lang)]


def _json(desk: Desk, found: list[Judged], lang: Lang) -> str:
    from autograder import record
    from autograder.assess import assess
    from autograder.results import Results, graded

    exercises = [assess(each, desk.diagnoser, lang, (), graded=False) for each in found]
    names = [name for name, _ in desk.files()]
    submission = graded(desk.folder.name, names, exercises)
    results = Results(__version__, ("self-check",), (submission,))
    return record.dumps(results.to_json()).decode()


@click.command("hint")
@click.argument("exercise")
@click.option(
    "--level",
    "-l",
    type=click.IntRange(1, 3),
    help="1 asks, 2 gives the recipe, 3 code with holes.",
)
@dir_option
@lang_option
def hint_command(exercise: str, level: int | None, folder: Path | None, lang: str | None) -> None:
    """Give a hint for an exercise; level 1 follows what the check found."""
    speech = messages.language(lang)
    desk = open_desk(find_folder(folder))
    code: str | None = None
    if level in (None, 1):
        (judged,) = check(desk, [exercise])
        told = desk.told(judged)
        code = told.codes[0] if told.codes else None
    click.echo(messages.hint(exercise, level or 1, speech, code))
    if (level or 1) < 3:
        click.echo(messages.ui("desk.next_hint", speech, exercise=exercise, level=(level or 1) + 1))


@click.command("list")
@dir_option
@lang_option
def list_command(folder: Path | None, lang: str | None) -> None:
    """List the exercises: state, minutes, difficulty."""
    speech = messages.language(lang)
    desk = open_desk(find_folder(folder))
    for judged in check(desk):
        about: dict[str, Any] = dict(desk.about(judged.exercise))
        title = about["title_zh"] if speech == "zh" and about.get("title_zh") else about["title"]
        state = messages.ui(f"desk.{verdict.state(judged)}", speech)
        dots = "●" * about["difficulty"] + "○" * (5 - about["difficulty"])
        minutes = messages.ui("desk.minutes", speech, minutes=about["minutes"])
        click.echo(f"{judged.exercise:<30} {dots}  {minutes:>8}  {state}  {title}")
