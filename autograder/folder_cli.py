"""The student's commands that change or hand out files: reset, pack, solution."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.desk_cli import dir_option, exercise_argument, lang_option
from autograder.spoken import Spoken

if TYPE_CHECKING:
    from autograder.desk import Desk
    from autograder.messages import Lang


@click.command("reset", cls=Spoken)
@click.argument("exercises", nargs=-1)
@click.option("--all", "everything", is_flag=True)
@click.option("--yes", "-y", is_flag=True)
@dir_option
@lang_option
def reset_command(
    exercises: tuple[str, ...], everything: bool, yes: bool, folder: Path | None, lang: str | None
) -> None:
    """Put exercises back to their start; what you wrote is kept as a backup."""
    from autograder import handout, progress, startover
    from autograder.messages import ui

    desk, speech = _desk(folder, lang)
    if bool(exercises) == everything:
        raise click.UsageError(ui("folder.which", speech))
    desk.known(exercises)
    names = [each for each in desk.names if everything or each[0] in exercises]
    out = handout.read(desk.folder)
    if not out.originals:
        _stop(ui("folder.no_originals", speech, file=handout.NAME), 2)
    files = startover.changed(desk.folder, names, out)
    if not files:
        click.echo(ui("folder.as_new", speech))
        return
    if not (yes or _agreed(ui("folder.ask", speech, files=", ".join(files)))):
        click.echo(ui("folder.kept", speech))
        sys.exit(1)
    for each in startover.reset(desk.folder, names, out):
        if each.backup is None:
            click.echo(ui("folder.restored", speech, file=each.name))
        else:
            backup = each.backup.relative_to(desk.folder).as_posix()
            click.echo(ui("folder.reset", speech, file=each.name, backup=backup))
    progress.restart(desk.folder, [name for name, _ in names])


def _agreed(question: str) -> bool:
    click.echo(f"{question} [y/N] ", nl=False)
    answer = sys.stdin.readline() if sys.stdin is not None else ""
    if not answer.endswith("\n"):
        click.echo()
    return answer.strip().lower() in ("y", "yes", "j", "是", "好")


@click.command("pack", cls=Spoken)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
)
@dir_option
@lang_option
def pack_command(out: Path | None, folder: Path | None, lang: str | None) -> None:
    """Make the zip to hand in, and print a receipt."""
    from autograder import handout, packing, quizbook, quizslip
    from autograder.messages import ui

    desk, speech = _desk(folder, lang)
    files = desk.files()
    if not files:
        _stop(ui("folder.nothing", speech), 1)
    _tell_states(desk, files, speech)
    path = out or desk.folder / packing.NAME
    if not path.parent.is_dir():
        _stop(ui("folder.no_place", speech, file=path.parent), 2)
    version = handout.read(desk.folder).version
    quiz = quizslip.line(quizbook.first_answers(desk.folder))
    made = packing.pack(files, path, tuple(desk.checks), version, quiz=quiz)
    click.echo(ui("folder.packed", speech, file=path, count=len(made.files)))
    click.echo(ui("folder.receipt", speech, receipt=made.digest, time=made.time))
    click.echo(ui("folder.hand_in", speech))


def _tell_states(desk: Desk, files: Sequence[tuple[str, bytes]], lang: Lang) -> None:
    """Say of each exercise how it stands, what is missing or a stub first of all."""
    from autograder import progress
    from autograder.desk import check
    from autograder.messages import ui

    found = check(desk, files=files)
    progress.note(desk, found, files)
    for each in found:
        missing = each.judged.state == "missing"
        state = ui("folder.missing" if missing else f"desk.{each.state}", lang)
        click.echo(f"  {each.exercise:<30} {state}")
    lacking = [each.exercise for each in found if each.state == "not_started"]
    if lacking:
        click.echo(ui("folder.lacking", lang, count=len(lacking), exercises=", ".join(lacking)))


@click.command("solution", cls=Spoken)
@exercise_argument
@dir_option
@lang_option
def solution_command(exercise: str, folder: Path | None, lang: str | None) -> None:
    """Show the solution beside other right styles (in a release for self-study)."""
    from autograder import handout, progress
    from autograder.desk import check
    from autograder.messages import ui

    desk, speech = _desk(folder, lang)
    desk.known([exercise])
    styles = handout.read(desk.folder).solutions.get(exercise, ())
    if not styles:
        _stop(ui("folder.no_solution", speech), 2)
    files = desk.files()
    [found] = check(desk, [exercise], files=files)
    progress.note(desk, [found], files)
    tries = progress.load(desk.folder).of(exercise).tries
    if not found.passed and tries < progress.TRIES_TO_SEE:
        slots = {"tries": tries, "most": progress.TRIES_TO_SEE, "exercise": exercise}
        click.echo(ui("folder.too_early", speech, **slots))
        sys.exit(1)
    for number, style in enumerate(styles):
        head = ui("folder.style", speech, number=number) if number else ui("folder.first", speech)
        click.echo(f"# --- {head} ---\n{style.code.strip()}\n")


def _desk(folder: Path | None, lang: str | None) -> tuple[Desk, Lang]:
    from autograder import messages
    from autograder.desk import find_folder, open_desk

    return open_desk(find_folder(folder)), messages.language(lang)


def _stop(sentence: str, code: int) -> None:
    click.echo(f"attn: {sentence}", err=True)
    sys.exit(code)
