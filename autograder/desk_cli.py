"""The student's commands: check, hint, list. Words in, words and an exit code out."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.spoken import Spoken
from autograder.warming import Warming

if TYPE_CHECKING:
    from autograder.desk import Desk
    from autograder.messages import Lang
    from autograder.verdict import Verdict

dir_option = click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
)
# Left out, it is asked for in words, with what there is.
exercise_argument = click.argument("exercise", required=False, default="", metavar="EXERCISE")


def _speak(context: click.Context, _: click.Parameter, asked: str | None) -> str | None:
    """Let everything that this command says be in the language that was asked for."""
    if asked is not None:
        before = os.environ.get("ATTN_LANG")

        def restore() -> None:
            if before is None:
                os.environ.pop("ATTN_LANG", None)
            else:
                os.environ["ATTN_LANG"] = before

        context.call_on_close(restore)
        os.environ["ATTN_LANG"] = asked
    return asked


lang_option = click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    callback=_speak,
    is_eager=True,
)
# What of a folder's oddities matters to a student while she works.
_ODD = frozenset({"file-twice", "file-renamed", "several-notebooks", "notebook-deeper"})


@click.command("check", cls=Spoken)
@click.argument("exercises", nargs=-1)
@click.option("--json", "as_json", is_flag=True)
@dir_option
@lang_option
def check_command(
    exercises: tuple[str, ...], as_json: bool, folder: Path | None, lang: str | None
) -> None:
    """Run the visible checks of some exercises, or of all."""
    with Warming() as warming:
        from autograder import messages, progress
        from autograder.desk import check, find_folder, open_desk

        speech = messages.language(lang)
        desk = open_desk(find_folder(folder))
        desk.known(exercises)
        read = desk.read()
        found = check(desk, exercises, sandbox := warming.ready(), read.files)
        reached = (sandbox.level, *sandbox.layers) if as_json else ()
    if as_json:
        click.echo(_json(desk, found, [name for name, _ in read.files], reached, speech))
    else:
        odd = [messages.render(f"notice.{c}", s, speech) for c, s in read.notices if c in _ODD]
        click.echo(_fit("\n".join([*_told(desk, found, speech), *odd])))
    sys.stdout.flush()
    progress.note(desk, found, read.files)
    sys.exit(0 if all(each.passed for each in found) else 1)


def _fit(text: str) -> str:
    """Break lines at words where a terminal shows them; what goes into a file stays whole."""
    if not sys.stdout.isatty():
        return text
    from autograder.picture.widths import folded

    return folded(text, shutil.get_terminal_size().columns)


def _told(desk: Desk, found: list[Verdict], lang: Lang) -> list[str]:
    from autograder import verdict

    lines: list[str] = []
    for each in found:
        lines += [*verdict.lines(each, desk.about(each.exercise), lang), ""]
    hidden = sum(desk.hidden(each.exercise) for each in found)
    return [*lines, verdict.summary(found, lang, hidden)]


def _json(
    desk: Desk,
    found: list[Verdict],
    names: Sequence[str],
    isolation: Sequence[str],
    lang: Lang,
) -> str:
    from autograder import record, verdict

    results = verdict.results(
        found, id=desk.folder.resolve().name, files=names, isolation=isolation, lang=lang
    )
    return record.dumps(results.to_json()).decode()


@click.command("hint", cls=Spoken)
@exercise_argument
@click.option(
    "--level",
    "-l",
    type=click.IntRange(1, 3),
)
@dir_option
@lang_option
def hint_command(exercise: str, level: int | None, folder: Path | None, lang: str | None) -> None:
    """Give the next hint for an exercise: the first follows what the check found."""
    with Warming() as warming:
        from autograder import messages, progress
        from autograder.desk import check, find_folder, open_desk

        speech = messages.language(lang)
        desk = open_desk(find_folder(folder))
        desk.known([exercise])
        files = desk.files()
        (found,) = check(desk, [exercise], warming.ready(), files)
    code = found.told.codes[0] if found.told.codes else None
    progress.note(desk, [found], files)
    level = level or progress.next_level(progress.load(desk.folder).of(exercise), code)
    said = messages.hint(exercise, level, speech, code)
    if not said:
        click.echo(messages.ui("desk.no_hint_yet", speech, exercise=exercise))
        return
    progress.note_hint(desk.folder, exercise, level, code)
    click.echo(messages.ui("watch.hint", speech, level=level))
    click.echo(_fit(said))
    if level < 3:
        click.echo(messages.ui("desk.next_hint", speech, exercise=exercise, level=level + 1))


@click.command("list", cls=Spoken)
@dir_option
@lang_option
def list_command(folder: Path | None, lang: str | None) -> None:
    """List the exercises from a fresh run: state, difficulty, minutes, points."""
    with Warming() as warming:
        from autograder import board, messages, progress
        from autograder.desk import check, find_folder, open_desk
        from autograder.messages import ui
        from autograder.picture import look_of

        speech = messages.language(lang)
        desk = open_desk(find_folder(folder))
        files = desk.files()
        found = check(desk, (), warming.ready(), files)
    click.echo("\n".join(board.listing(desk, found, look_of(sys.stdout, lang=speech))))
    for name, before, now in progress.note(desk, found, files):
        states = {"before": ui(f"desk.{before}", speech), "now": ui(f"desk.{now}", speech)}
        click.echo(ui("watch.changed", speech, exercise=name, **states))
