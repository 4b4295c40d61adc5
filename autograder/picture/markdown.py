"""Pictures as Markdown: tables for pages and chats that show neither HTML nor a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from autograder.messages import Lang
from autograder.picture import sentences
from autograder.picture.parts import Bars, Drawn, Grid, Part, Sheet, Side, Table, cell_text, say
from autograder.picture.parts import sum_text as written
from autograder.picture.widths import label

MARKS = r"[\\`*\[\]|]"  # a token is shown, not read: no link, no code, no cell of its own


def sheet_markdown(sheet: Sheet) -> str:
    """Give a whole picture as Markdown."""
    blocks = [f"**{sheet.title}**"] if sheet.title else []
    for part in sheet.parts:
        blocks += _part(part, sheet.lang)
    return "\n\n".join([*blocks, *([f"*{sheet.source}*"] if sheet.source else [])]) + "\n"


def _part(part: Part, lang: Lang) -> list[str]:
    if isinstance(part, Side):
        return [block for each in part.parts for block in _part(each, lang)]
    if isinstance(part, Grid):
        head = [part.title, *map(label, part.columns), *([say("sum", lang)] if part.sums else [])]
        return [_table(head, [_row(part, i) for i in range(len(part.rows))])]
    if isinstance(part, Bars):
        words = part.words or tuple(f"{value:.2f}" for value in part.values)
        return [_table([part.title, ""], list(zip(map(label, part.names), words, strict=True)))]
    if isinstance(part, Table):
        head = list(part.head or ("",) * len(part.rows[0]))
        return [*([part.title] if part.title else []), _table(head, part.rows)]
    if isinstance(part, Drawn):
        fence = "`" * (1 + max(map(len, re.findall("`{2,}", part.text)), default=2))
        return [*([part.title] if part.title else []), f"{fence}\n{part.text}\n{fence}"]
    return sentences.of_part(part, lang)


def _row(grid: Grid, i: int) -> list[str]:
    cells = [
        "·" if grid.closed[i, j] else cell_text(grid, float(grid.values[i, j]))
        for j in range(len(grid.columns))
    ]
    end = [written(grid.row_sum(i)) + (" ←" if grid.is_marked(i) else "")] if grid.sums else []
    return [label(grid.rows[i]), *cells, *end]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [_line(head), "|---" + "|---:" * (len(head) - 1) + "|", *map(_line, rows)]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    shown = (re.sub(MARKS, r"\\\g<0>", escape(each, quote=False)) for each in cells)
    return "| " + " | ".join(shown) + " |"
