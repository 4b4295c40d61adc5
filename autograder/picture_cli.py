"""The command `attn picture`: an exercise's picture in the terminal, or in a file."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autograder.desk_cli import dir_option, exercise_argument, lang_option
from autograder.spoken import Spoken
from autograder.warming import Warming

if TYPE_CHECKING:
    from autograder.picture.look import Look
    from autograder.picture.parts import Sheet

SUFFIXES = (".txt", ".md", ".html", ".png", ".svg")
FRAME_SECONDS = 0.2


@click.command("picture", cls=Spoken)
@exercise_argument
@click.option("--ascii", "ascii_only", is_flag=True)
@click.option("--plain", is_flag=True)
@click.option("--relative", is_flag=True)
@click.option("--animate", is_flag=True)
@click.option("--no-color", is_flag=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
)
@dir_option
@lang_option
def picture_command(
    exercise: str,
    ascii_only: bool,
    plain: bool,
    relative: bool,
    animate: bool,
    no_color: bool,
    out: Path | None,
    folder: Path | None,
    lang: str | None,
) -> None:
    """Show the picture that an exercise ends with, drawn by your own functions where they pass."""
    if out is not None and out.suffix.lower() not in SUFFIXES:
        from autograder.messages import language, ui

        slots = {"file": out.name, "suffixes": " ".join(SUFFIXES)}
        raise click.UsageError(ui("picture.suffix", language(lang), **slots))
    with Warming() as warming:
        from autograder import messages
        from autograder.desk import find_folder, open_desk
        from autograder.exhibit import look_of, picture

        speech = messages.language(lang)
        look = look_of(
            sys.stdout,
            ascii=ascii_only,
            plain=plain,
            relative=relative,
            colour=not no_color,
            lang=speech,
        )
        desk = open_desk(find_folder(folder))
        sheet = picture(desk, exercise, warming.ready(), speech, ascii=look.ascii)
    if out is not None:
        _write(sheet, out, look)
        click.echo(str(out))
    else:
        if animate and sheet.frames and sys.stdout.isatty() and _may_move():
            _play(sheet, look)
        _print(sheet, look)


def _print(sheet: Sheet, look: Look) -> None:
    from autograder.picture.text import sheet_lines

    click.echo("\n".join(sheet_lines(sheet, look)), color=look.colour or None)


def _may_move() -> bool:
    return os.environ.get("TERM") != "dumb" and not os.environ.get("NO_MOTION")


def _play(sheet: Sheet, look: Look) -> None:
    """Show the frames one after the other, each in the place of the one before."""
    from autograder.picture.text import part_lines

    for frame in sheet.frames:
        lines = [line for part in frame for line in part_lines(part, look)]
        click.echo("\n".join(lines))
        time.sleep(FRAME_SECONDS)
        click.echo(f"\x1b[{len(lines)}A\x1b[0J", nl=False)


def _write(sheet: Sheet, out: Path, look: Look) -> None:
    from dataclasses import replace

    from autograder.picture.html import page
    from autograder.picture.markdown import sheet_markdown
    from autograder.picture.text import sheet_lines

    kind = out.suffix.lower()
    if kind in (".png", ".svg"):
        from autograder.picture.figures import FiguresMissing, write_figure

        try:
            write_figure(sheet, out, relative=look.relative)
        except FiguresMissing:
            from autograder.messages import ui

            raise click.UsageError(ui("picture.no_matplotlib", look.lang)) from None
        return
    if kind == ".html":
        text = page(sheet, relative=look.relative)
    elif kind == ".md":
        text = sheet_markdown(sheet)
    else:
        text = "\n".join(sheet_lines(sheet, replace(look, colour=False))) + "\n"
    out.write_text(text, encoding="utf-8", newline="\n")
