"""The class in the terminal: one table, what needs a look, what is met most often.

Every verdict is a word or a number, so that nothing is lost without colour, without a terminal
or read aloud. Nothing of a student's detail for instructors or hidden probes is in `Results`'
messages, and this page quotes codes only.
"""

from __future__ import annotations

import io
import os
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from autograder.messages import Lang, clean, language, name, ui
from autograder.quizbook import tally
from autograder.results import ExerciseResult, Results, SubmissionResult
from autograder.summary import (
    NOT_BEGUN,
    Look,
    common_findings,
    exercises_of,
    findings_of,
    looks,
    not_begun,
    points,
)

if TYPE_CHECKING:
    from rich.box import Box
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

WIDTH_WITHOUT_TERMINAL = 120
NARROWEST_FOR_MARKS = 92  # below this the marks of the single exercises are left out
FINDINGS_SHOWN = 3
COMMON_SHOWN = 8
ROWS_SHOWN, LOOKS_SHOWN = 400, 200  # of thousands, nobody reads more in a terminal
STYLES = {
    "passed": "green",
    "partial": "yellow",
    "failed": "red",
    "error": "red",
    "timeout": "red",
    "missing": "dim",
    "not_attempted": "dim",
    "graded": "",
    "unreadable": "bold red",
    "empty": "bold yellow",
}


def print_class(
    results: Results,
    lang: str = "en",
    file: TextIO | None = None,
    *,
    seconds: float | None = None,
) -> None:
    """Print the class: its table, troubles, findings and totals.

    Parameters
    ----------
    results : Results
    lang : str
    file : text file, optional
        Standard output by default. Without a terminal, with ``NO_COLOR`` or ``TERM=dumb``, the
        text is plain.
    seconds : float, optional
        What this run took by the clock; not told where it is not known.
    """
    out = file or sys.stdout
    color, width = _wants_color(out), _width(out)
    text = class_text(results, lang, color=color, width=width, seconds=seconds)
    try:
        out.write(text)
    except UnicodeEncodeError:
        code = out.encoding or "ascii"
        out.write(text.encode(code, "replace").decode(code))
    out.flush()


def class_text(
    results: Results,
    lang: str = "en",
    *,
    color: bool = False,
    width: int = WIDTH_WITHOUT_TERMINAL,
    seconds: float | None = None,
) -> str:
    """Give what `print_class` prints.

    Parameters
    ----------
    color : bool
        With colours, bold type and drawn lines; else plain text.
    width : int
        Columns of the terminal.
    seconds : float, optional
        What the run took by the clock.
    """
    from rich.console import Console

    spoken = language(lang)
    buffer = io.StringIO()
    console = Console(
        file=buffer,
        force_terminal=color,
        color_system="standard" if color else None,
        width=width,
        highlight=False,
        emoji=False,
        markup=False,
        legacy_windows=False,
    )
    _print(console, results, spoken, color, seconds)
    # Padding at the end of lines is of no use to anybody who copies or compares them.
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def _print(
    console: Console, results: Results, lang: Lang, color: bool, seconds: float | None
) -> None:
    console.print()
    console.print(_head(results, lang))
    console.print(_class_table(results, lang, color, console.width))
    if console.width >= NARROWEST_FOR_MARKS:
        _print_legend(console, results, lang)
    troubles = [(each, look) for each in results.submissions for look in looks(each)]
    if troubles:
        if len(troubles) > LOOKS_SHOWN:  # who has no score comes first
            troubles.sort(key=lambda each: each[0].score is not None)
        _section(console, ui("report.troubles", lang), _trouble_table(troubles, lang))
    common = common_findings(results.submissions)
    if common:
        table = _plain_table()
        for code, count in common[:COMMON_SHOWN]:
            table.add_row(str(count), code, name(code, lang))
        if len(common) > COMMON_SHOWN:
            table.add_row("", ui("report.more", lang, count=len(common) - COMMON_SHOWN))
        table.columns[0].justify = "right"
        _section(console, ui("report.often", lang), table)
    answered = tally(each.quiz for each in results.submissions)
    if answered:
        table = _plain_table()
        for each in answered:
            said = ui("report.quiz_right", lang, right=each.right, count=each.answered)
            most = f"{each.codes[0][0]} ({name(each.codes[0][0], lang)})" if each.codes else ""
            table.add_row(each.item, said, most)
        _section(console, ui("report.quiz", lang), table)
    console.print()
    console.print(f" {_totals(results, lang)}")
    console.print(f" {_isolation(results, lang, seconds)}", style="dim")
    console.print()


def _head(results: Results, lang: Lang) -> Text:
    from rich.text import Text

    counts = Counter(each.status for each in results.submissions)
    line = ui(
        "report.totals",
        lang,
        total=len(results.submissions),
        graded=counts["graded"],
        unreadable=counts["unreadable"],
        empty=counts["empty"],
    )
    return Text.assemble(" ", (ui("report.title", lang), "bold"), "  ", line)


def _class_table(results: Results, lang: Lang, color: bool, width: int) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    marks = width >= NARROWEST_FOR_MARKS
    exercises = exercises_of(results.submissions)
    table = Table(
        box=box.SIMPLE_HEAD if color else _ascii_head(),
        pad_edge=False,
        padding=(0, 1),
        collapse_padding=True,
    )
    table.add_column(ui("report.id", lang), overflow="fold", max_width=28)
    table.add_column(ui("report.status", lang), no_wrap=True)
    table.add_column(ui("report.score", lang), justify="right", no_wrap=True)
    for place in range(len(exercises) if marks else 0):
        table.add_column(str(place + 1), justify="right", no_wrap=True)
    table.add_column(ui("report.findings", lang), overflow="fold", min_width=22)
    for each in results.submissions[:ROWS_SHOWN]:
        of = {exercise.exercise: exercise for exercise in each.exercises}
        cells = [_mark(of.get(exercise)) for exercise in exercises] if marks else []
        table.add_row(
            Text(clean(each.id, 80)),
            Text(ui(f"submission.{each.status}", lang), STYLES[each.status]),
            Text("-" if each.score is None else f"{each.score:.1f}", "bold"),
            *cells,
            _findings(each, lang),
        )
    more = len(results.submissions) - ROWS_SHOWN
    if more > 0:
        table.add_row(ui("report.more_there", lang, count=more))
    return table


def _mark(exercise: ExerciseResult | None) -> Text:
    from rich.text import Text

    if exercise is None:
        return Text("")
    if exercise.status in NOT_BEGUN:
        return Text("-", "dim")
    return Text(points(exercise.score), STYLES[exercise.status])


def _findings(submission: SubmissionResult, lang: Lang) -> str:
    idle = not_begun(submission)
    if idle:
        return ui(f"exercise.{idle}", lang)
    codes = findings_of(submission)
    shown = ", ".join(codes[:FINDINGS_SHOWN])
    more = len(codes) - FINDINGS_SHOWN
    return f"{shown} {ui('report.more', lang, count=more)}" if more > 0 else shown


def _print_legend(console: Console, results: Results, lang: Lang) -> None:
    from rich.cells import cell_len
    from rich.text import Text

    exercises = exercises_of(results.submissions)
    if not exercises:
        return
    lines = [""]
    for place, (exercise, worth) in enumerate(exercises.items(), start=1):
        part = f"{place} {exercise} ({points(worth)})"
        if cell_len(lines[-1]) + cell_len(part) + 3 > console.width:
            lines.append("")  # an exercise stays beside its number
        lines[-1] += f" · {part}" if lines[-1] else f" {part}"
    for line in (*lines, f" {ui('report.legend', lang)}"):
        console.print(Text(line, "dim"))


def _trouble_table(troubles: Sequence[tuple[SubmissionResult, Look]], lang: Lang) -> Table:
    from rich.text import Text

    table = _plain_table()
    for submission, look in troubles[:LOOKS_SHOWN]:
        status = Text(ui(f"{look.kind}.{look.status}", lang), STYLES[look.status])
        table.add_row(Text(clean(submission.id, 80)), status, Text(clean(look.said, 400)))
    more = len(troubles) - LOOKS_SHOWN
    if more > 0:
        table.add_row("", "", ui("report.more_there", lang, count=more))
    return table


def _section(console: Console, title: str, body: RenderableType) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console.print()
    console.print(Text(f" {title}", "bold"))
    console.print(Padding(body, (0, 0, 0, 2)))


def _plain_table() -> Table:
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1))
    for _ in range(3):
        table.add_column(overflow="fold")
    return table


def _ascii_head() -> Box:
    from rich.box import Box

    return Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)


def _totals(results: Results, lang: Lang) -> str:
    scores = [each.score for each in results.submissions if each.score is not None]
    if not scores:
        return ui("report.mean_none", lang)
    highest = max(each.max_score for each in results.submissions)
    return ui(
        "report.mean",
        lang,
        mean=f"{statistics.mean(scores):.1f}",
        median=f"{statistics.median(scores):.1f}",
        best=f"{max(scores):.1f}",
        max=points(highest),
    )


def _isolation(results: Results, lang: Lang, seconds: float | None) -> str:
    level, layers = results.isolation[0], results.isolation[1:]
    weak = "_weak" if level in ("L0", "L1") else ""
    said = ui(f"report.isolation{weak}", lang, level=level, layers=", ".join(layers))
    if seconds is None:
        return said
    took = ui("report.seconds", lang, seconds=f"{seconds:.1f}", total=str(len(results.submissions)))
    return f"{said}  {took}"


def _wants_color(out: TextIO) -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "") in ("dumb", "unknown"):
        return False
    return out.isatty()


def _width(out: TextIO) -> int:
    if not out.isatty():
        asked = os.environ.get("COLUMNS", "")
        return max(40, int(asked)) if asked.isdigit() else WIDTH_WITHOUT_TERMINAL
    try:
        return max(40, os.get_terminal_size(out.fileno()).columns)
    except (OSError, ValueError):
        return 80
