"""Commands that speak the learner's language: their help, and what they say of mistyped words.

What a command and its options do stands in the locale files under ``help.<command>``, and is read
when somebody asks for it: a command that runs must not wait for its own explanation. What any
command does is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO, Any

import click

from autograder import messages

WIDEST = 80  # cells of a line
_NAMES = 30  # cells of the left column, at most


def words(command: str) -> Mapping[str, str]:
    """Give what is said of a command, and of what all of them share."""
    lang = messages.language()
    return {**messages.entry("help.common", lang), **messages.entry(f"help.{command}", lang)}


class Spoken(click.Command):
    """A command whose help stands in the locale files, under its name.

    There ``text`` says what it does, ``short`` the same in a list, and each parameter has an entry
    under its own name.
    """

    @property
    def _own(self) -> Mapping[str, str]:
        return words(self.name or "")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        spoken = any(each.name == "lang" for each in self.params)
        if spoken and "--lang" in args[:-1]:  # first, so that --help beside it speaks it too
            at = args.index("--lang")
            args = [*args[at : at + 2], *args[:at], *args[at + 2 :]]
        return super().parse_args(ctx, args)

    def get_usage(self, ctx: click.Context) -> str:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        head = self._own["usage"]
        return f"{head}{'' if head.endswith('：') else ' '}{ctx.command_path} {pieces}"

    def get_short_help_str(self, limit: int = 45) -> str:
        return self._own["short"]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        paragraphs = (line for part in self._own["text"].split("\n") for line in [*_fold(part), ""])
        lines = [self.get_usage(ctx), "", *(f"  {line}".rstrip() for line in paragraphs)]
        lines += section(self._own["options"], self._options(ctx))
        formatter.write("\n".join(lines) + "\n")

    def _options(self, ctx: click.Context) -> list[tuple[str, str]]:
        rows = []
        for each in self.get_params(ctx):
            record = each.get_help_record(ctx) if isinstance(each, click.Option) else None
            if record is not None:
                beside = "" if getattr(each, "help", None) else record[1]  # such as [1<=x<=3]
                name = "help" if "--help" in each.opts else each.name or ""
                rows.append((record[0], f"{self._own[name]} {beside}".strip()))
        return rows


def section(head: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    """Give a heading and two columns as lines, as wide as a terminal."""
    from autograder.picture.widths import left, width

    listed = list(rows)
    column = min(_NAMES, max((width(name) for name, _ in listed), default=0)) + 4
    lines = [head]
    for name, said in listed:
        first, *others = _fold(said, column)
        if width(name) + 4 > column:
            lines.append(f"  {name}")
            name = ""
        lines.append(left(f"  {name}", column) + first)
        lines += [left("", column) + other for other in others]
    return lines


def _fold(text: str, used: int = 2) -> Sequence[str]:
    from autograder.picture.widths import fold

    return fold(text, WIDEST - used)


# What was typed and is not understood


class Said(click.UsageError):
    """A usage error in the learner's language."""

    def show(self, file: IO[Any] | None = None) -> None:
        shared = words("")
        if self.ctx is not None:
            path = self.ctx.command_path
            click.echo(self.ctx.get_usage(), file=file, err=file is None)
            click.echo(shared["try"].format(command=f"{path} --help"), file=file, err=file is None)
            click.echo(file=file, err=file is None)
        click.echo(f"attn: {self.message}", file=file, err=file is None)


# Errors that speak the language already. A bare `attn` gives its help as one, from click 8.2 on.
_SPOKEN = (Said, getattr(click.exceptions, "NoArgsIsHelpError", Said))


def said(error: click.UsageError) -> click.UsageError:
    """Give click's own error in the learner's language; English as it is."""
    if messages.language() == "en" or isinstance(error, _SPOKEN):
        return error
    return Said(_of(error), ctx=error.ctx)


def _of(error: click.UsageError) -> str:
    shared = words("")
    if re.search("[\u4e00-\u9fff]", error.message):  # our own, said by key already
        return error.message
    for kind, say in _SAY:
        if isinstance(error, kind):
            return say(error, shared)
    if extra := re.fullmatch(r"Got unexpected extra arguments? \((.*)\)", error.message):
        return shared["extra"].format(names=extra[1])
    if named := re.search(r"^No such command '(.*?)'", error.message):
        return shared["no_command"].format(name=named[1])
    return shared["odd"]


def _missing(error: Any, shared: Mapping[str, str]) -> str:
    name = error.param.human_readable_name if error.param is not None else str(error.param_hint)
    return shared["missing"].format(name=name)


def _value(error: Any, shared: Mapping[str, str]) -> str:
    parameter = error.param
    if parameter is None:
        return shared["odd"]
    name = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.name
    if isinstance(parameter.type, click.Choice):
        return shared["choice"].format(
            name=name, choices=" ".join(map(str, parameter.type.choices))
        )
    if isinstance(parameter.type, click.Path):
        return shared["path"].format(name=name)
    return shared["value"].format(name=name)


_SAY: tuple[tuple[type[click.UsageError], Callable[[Any, Mapping[str, str]], str]], ...] = (
    (click.NoSuchOption, lambda e, shared: shared["no_option"].format(name=e.option_name)),
    (click.MissingParameter, _missing),
    (click.BadOptionUsage, lambda e, shared: shared["needs_value"].format(name=e.option_name)),
    (click.BadParameter, _value),
)
