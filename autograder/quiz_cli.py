"""The command `attn quiz`: predict, then see the code run."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from autograder.desk_cli import dir_option, lang_option
from autograder.spoken import Spoken
from autograder.warming import Warming


@click.command("quiz", cls=Spoken)
@click.argument("number", type=click.IntRange(1), required=False)
@click.option("--answer")
@click.option("--ascii", "ascii_only", is_flag=True)
@click.option("--plain", is_flag=True)
@dir_option
@lang_option
def quiz_command(
    number: int | None,
    answer: str | None,
    ascii_only: bool,
    plain: bool,
    folder: Path | None,
    lang: str | None,
) -> None:
    """Answer question NUMBER of the quiz, or the next one: predict first, then the code runs."""
    with Warming() as warming:
        from autograder import messages
        from autograder.desk import find_folder, open_desk
        from autograder.exhibit import look_of
        from autograder.picture.text import sheet_lines
        from autograder.picture.widths import fold
        from autograder.quizzing import open_round

        speech = messages.language(lang)
        look = look_of(sys.stdout, ascii=ascii_only, plain=plain, lang=speech)
        quiz = open_round(open_desk(find_folder(folder)), speech)
        count = len(quiz.quiz.items)
        if not count:
            raise click.UsageError(messages.ui("quiz.none", speech))
        number = number or quiz.next()
        if number > count:
            raise click.UsageError(messages.ui("quiz.no_item", speech, number=number, count=count))
        lines = [part for line in quiz.question(number) for part in fold(line, look.columns)]
        click.echo("\n".join(lines if answer is not None else [*lines, ""]))
        given = quiz.answer(number, answer) if answer is not None else None
        if answer is not None and given is None:
            raise click.UsageError(quiz.again(number))
        while given is None:
            colon = messages.ui("quiz.colon", speech)
            given = quiz.answer(number, click.prompt(quiz.ask(number), prompt_suffix=colon))
            if given is None:
                click.echo(quiz.again(number))
        sheet = quiz.shown(number, given, warming.ready())
    click.echo("\n".join(["", *sheet_lines(sheet, look), "", *quiz.summary(number)]))
