"""Pictures as text: shades and numbers in straight columns, whatever the language.

Lines out, nothing printed. `Look` says which signs and colours there are; meaning never hangs on
colour alone, and a closed place is a dot, so that it differs from a small weight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import zip_longest

from autograder.picture import sentences
from autograder.picture.colours import ansi, difference_256, weight_256
from autograder.picture.look import Look
from autograder.picture.parts import (
    Bars,
    Drawn,
    Grid,
    Part,
    Points,
    Sheet,
    Side,
    Table,
    Words,
    cell_text,
    say,
    sum_text,
)
from autograder.picture.widths import blanks, cut, fold, label, left, right, width

BAR = 30  # cells of a full bar
GAP = 4  # cells between two parts side by side
MOST_ROWS, MOST_COLUMNS = 16, 16


def sheet_lines(sheet: Sheet, look: Look) -> list[str]:
    """Give a whole picture as lines."""
    look = look.in_language(sheet.lang)
    if look.plain:
        return sentences.of_sheet(sheet)
    lines = [*fold(sheet.title, look.columns), ""] if sheet.title else []
    for part in sheet.parts:
        lines += [*part_lines(part, look), ""]
    if any(_has_grid(part) for part in sheet.parts):
        lines += fold(say("legend", look.lang), look.columns)
    lines += fold(sheet.source, look.columns) if sheet.source else []
    return lines if lines and lines[-1] else lines[:-1]


def part_lines(part: Part, look: Look) -> list[str]:
    """Give one part as lines."""
    if look.plain:
        return sentences.of_part(part, look.lang)
    if isinstance(part, Grid):
        return _grid(part, look)
    if isinstance(part, Bars):
        return _bars(part, look)
    if isinstance(part, Table):
        return _table(part, look)
    if isinstance(part, Side):
        return _side([part_lines(each, look) for each in part.parts], look)
    if isinstance(part, Points):
        return _points(part, look)
    if isinstance(part, Drawn):
        return [*_title(part.title, look), *part.text.split("\n")]
    return fold(part.text, look.columns)


def _title(title: str, look: Look) -> list[str]:
    return fold(title, look.columns) if title else []


def _has_grid(part: Part) -> bool:
    if isinstance(part, Side):
        return any(_has_grid(each) for each in part.parts)
    return isinstance(part, Grid) and part.kind in ("weights", "difference", "gap", "mask")


# Grids


def _grid(grid: Grid, look: Look) -> list[str]:
    rows, columns = len(grid.rows), len(grid.columns)
    names = [cut(label(name), end=look.sign("…", "~")) for name in grid.rows[:MOST_ROWS]]
    heads = [cut(label(name), end=look.sign("…", "~")) for name in grid.columns[:MOST_COLUMNS]]
    cells = [
        [_cell(grid, i, j, look) for j in range(min(columns, MOST_COLUMNS))]
        for i in range(min(rows, MOST_ROWS))
    ]
    ends = [_end(grid, i, look) for i in range(len(cells))]
    stub = max(width(name) for name in names)
    widths = [
        max([width(head) + (_shaded(grid) and 1), *(width(row[j]) for row in cells)])
        for j, head in enumerate(heads)
    ]
    last = say("sum", look.lang) if grid.sums else ""
    tail = max(width(last), *(width(end) for end in ends))
    more = " " + look.sign("…", "~") if columns > MOST_COLUMNS else ""

    def line(name: str, texts: Sequence[str], end: str) -> str:
        body = " ".join([left(name, stub), *texts]) + more
        return f"{body}  {left(end, tail)}".rstrip() if tail else body.rstrip()

    shaded = " " if _shaded(grid) else ""
    head = line("", [right(h + shaded, w) for h, w in zip(heads, widths, strict=True)], last)
    top = [head.rstrip()] if any(heads) or last else []
    body = [
        line(
            name,
            [_tinted(grid, i, j, right(text, widths[j]), look) for j, text in enumerate(cells[i])],
            ends[i],
        )
        for i, name in enumerate(names)
    ]
    if rows > MOST_ROWS:
        body.append(say("more_rows", look.lang, count=rows - MOST_ROWS))
    return [*_title(grid.title, look), *top, *body]


def _shaded(grid: Grid) -> bool:
    return grid.kind in ("weights", "difference", "signed", "gap")


def _cell(grid: Grid, i: int, j: int, look: Look) -> str:
    """Give a number with its shade behind it."""
    value = float(grid.values[i, j])
    if grid.closed[i, j]:
        return look.sign("·", ".") + (" " if _shaded(grid) else "")
    if grid.kind == "mask":
        return look.sign("█", "#")
    number = cell_text(grid, value)
    if not _shaded(grid):
        return number
    share = abs(value) / _most(grid, look)
    return number + shade(share, look)


def shade(share: float, look: Look) -> str:
    """Give the sign of a share from 0 to 1: equal steps, the last for the fullest."""
    if not math.isfinite(share):
        return " "
    return look.shades[max(0, min(int(share * len(look.shades)), len(look.shades) - 1))]


def _most(grid: Grid, look: Look) -> float:
    if look.relative:
        finite = [abs(each) for each in grid.values.ravel().tolist() if math.isfinite(each)]
        return max(finite, default=1.0) or 1.0
    return grid.most


def _tinted(grid: Grid, i: int, j: int, text: str, look: Look) -> str:
    value = float(grid.values[i, j])
    if not look.colour or not _shaded(grid) or grid.closed[i, j] or not math.isfinite(value):
        return text
    share = value / _most(grid, look)
    around = grid.kind in ("difference", "signed")
    colour = difference_256(share) if around else weight_256(share)
    return ansi(text, colour)


def _end(grid: Grid, row: int, look: Look) -> str:
    text = sum_text(grid.row_sum(row)) if grid.sums else ""
    return f"{text} {look.sign('←', '<')}".strip() if grid.is_marked(row) else text


# Bars, tables, side by side


def _bars(bars: Bars, look: Look) -> list[str]:
    names = [cut(label(name), 24, look.sign("…", "~")) for name in bars.names]
    stub = max(width(name) for name in names)
    words = bars.words or tuple(f"{value:.2f}" for value in bars.values)
    place = max(width(word) for word in words)
    full = look.sign("█", "#")
    lines = []
    for name, value, word in zip(names, bars.values, words, strict=True):
        share = value / bars.most if math.isfinite(value) else 0.0
        bar = full * round(BAR * min(max(share, 0.0), 1.0))
        lines.append(f"{left(name, stub)}  {right(word, place)}  {bar}".rstrip())
    return [*_title(bars.title, look), *lines]


def _points(points: Points, look: Look) -> list[str]:
    """Set each name where its point is, on a field of fixed size; the special one is a cross."""
    across, down = 44, 12
    name, x, y = points.special
    xs, ys = (*points.xs, x), (*points.ys, y)
    field = [[" "] * across for _ in range(down)]
    for place, (a, b) in enumerate(zip(xs, ys, strict=True)):
        column = round(_share(a, xs) * (across - 12))
        row = round((1 - _share(b, ys)) * (down - 1))
        last = place == len(points.xs)
        sign = look.sign("✕", "X") if last else look.sign("•", "o")
        text = sign + " " + (name if last else cut(label(points.names[place])))
        _write(field[row], column, text)
    lines = ["".join(row).rstrip() for row in field]
    return [*_title(points.title, look), *(f"  {line}".rstrip() for line in lines)]


def _share(value: float, among: Sequence[float]) -> float:
    low, high = min(among), max(among)
    return (value - low) / (high - low) if high > low else 0.5


def _write(row: list[str], column: int, text: str) -> None:
    """Write a text into a row of cells, behind whatever already stands there."""
    while any(cell != " " for cell in row[column : column + width(text)]):
        column += 1
    row += [" "] * (column + width(text) - len(row))
    for sign in text:
        row[column] = sign
        if width(sign) == 2:
            row[column + 1] = ""
        column += width(sign)


def _table(table: Table, look: Look) -> list[str]:
    rows = [table.head, *table.rows] if table.head else list(table.rows)
    widths = [max(width(row[j]) for row in rows) for j in range(len(rows[0]))]
    lines = [
        "  ".join(
            [left(row[0], widths[0])]
            + [right(cell, cells) for cell, cells in zip(row[1:], widths[1:], strict=True)]
        ).rstrip()
        for row in rows
    ]
    return [*_title(table.title, look), *lines]


def _side(blocks: Sequence[Sequence[str]], look: Look) -> list[str]:
    """Put blocks side by side, as many as fit into a line."""
    lines: list[str] = []
    waiting: list[Sequence[str]] = []
    for block in blocks:
        if waiting and _breadth([*waiting, block]) > look.columns:
            lines += [*_joined(waiting), ""]
            waiting = []
        waiting.append(block)
    return lines + _joined(waiting)


def _breadth(blocks: Sequence[Sequence[str]]) -> int:
    return sum(max(map(_shown, block)) for block in blocks) + GAP * (len(blocks) - 1)


def _joined(blocks: Sequence[Sequence[str]]) -> list[str]:
    breadths = [max(map(_shown, block)) for block in blocks]
    # Titles may be missing on one block only: tables stand in line at their feet.
    return [
        (" " * GAP)
        .join(
            text + blanks(cells - _shown(text)) for text, cells in zip(row, breadths, strict=True)
        )
        .rstrip()
        for row in zip_longest(*blocks, fillvalue="")
    ]


def _shown(text: str) -> int:
    """Count the cells of a text that may hold colours."""
    if "\x1b" not in text:
        return width(text)
    return width("".join(part.partition("m")[2] for part in ("m" + text).split("\x1b")))


__all__ = ["Words", "part_lines", "shade", "sheet_lines"]
