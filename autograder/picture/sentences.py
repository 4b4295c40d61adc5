"""Pictures as sentences, for screen readers and for an image's alternative text.

Each row of a table becomes one sentence that names places by their words; nothing is drawn.
"""

from __future__ import annotations

import math

from autograder.messages import Lang
from autograder.picture.parts import (
    Bars,
    Drawn,
    Grid,
    Part,
    Points,
    Sheet,
    Side,
    Table,
    cell_text,
    say,
    sum_text,
)
from autograder.picture.widths import label


def of_sheet(sheet: Sheet) -> list[str]:
    """Give a whole picture in sentences."""
    lines = [_ended(sheet.title, sheet.lang)] if sheet.title else []
    for part in sheet.parts:
        lines += of_part(part, sheet.lang)
    return [*lines, sheet.source] if sheet.source else lines


def of_part(part: Part, lang: Lang) -> list[str]:
    """Give one part in sentences."""
    if isinstance(part, Side):
        return [line for each in part.parts for line in of_part(each, lang)]
    if isinstance(part, Grid):
        return _titled(part.title, [row(part, i, lang) for i in range(len(part.rows))], lang)
    if isinstance(part, Bars):
        words = part.words or tuple(f"{value:.2f}" for value in part.values)
        pairs = (f"{label(name)} {word}" for name, word in zip(part.names, words, strict=True))
        return _titled(part.title, [_stop(lang, _comma(lang).join(pairs))], lang)
    if isinstance(part, Table):
        return _titled(part.title, [_table_row(part, cells, lang) for cells in part.rows], lang)
    if isinstance(part, Points):
        return _titled(part.title, [_points(part, lang)], lang)
    if isinstance(part, Drawn):
        return [say("drawn_skipped", lang, title=part.title)]
    return [part.text]


def row(grid: Grid, i: int, lang: Lang) -> str:
    """Say one row of a grid: who looks at whom, the strongest first."""
    name = label(grid.rows[i])
    closed = int(grid.closed[i].sum())
    places = [j for j in range(len(grid.columns)) if not grid.closed[i, j]]
    if grid.kind == "weights":
        places.sort(key=lambda j: _order(float(grid.values[i, j])))
    texts = [cell(grid, i, j) for j in places]
    said = _comma(lang).join(texts) or say("nobody", lang)
    key = {"weights": "looks_at", "mask": "may_look_at"}.get(grid.kind, "row_is")
    sentence = say(key, lang, row=name, places=said)
    if closed:
        sentence += say("closed_one" if closed == 1 else "closed", lang, count=closed)
    if grid.sums:
        sentence += say("sums_to", lang, sum=sum_text(grid.row_sum(i)))
    if grid.is_marked(i):
        sentence += say(grid.mark, lang)
    return _stop(lang, sentence)


def row_end(grid: Grid, i: int, lang: Lang) -> str:
    """Say a row's sum, and that the row differs where it is marked."""
    sentence = f"{label(grid.rows[i])}{say('sums_to', lang, sum=sum_text(grid.row_sum(i)))}"
    return sentence + (say(grid.mark, lang) if grid.is_marked(i) else "")


def place(grid: Grid, i: int, j: int, lang: Lang) -> str:
    """Say one place of a grid on its own: who looks at whom, and how much."""
    name = label(grid.rows[i])
    if grid.closed[i, j]:
        return say("place_closed", lang, row=name, column=label(grid.columns[j]))
    key = {"weights": "looks_at", "mask": "may_look_at"}.get(grid.kind, "row_is")
    return say(key, lang, row=name, places=cell(grid, i, j).strip())


def cell(grid: Grid, i: int, j: int) -> str:
    """Say one place of a row: its word and its number."""
    name = label(grid.columns[j])
    if grid.kind == "mask":
        return name
    value = float(grid.values[i, j])
    if grid.kind in ("weights", "gap"):
        return f"{name} {value:.2f}" if math.isfinite(value) else f"{name} {value}"
    return f"{name} {cell_text(grid, value)}".strip()


def _points(points: Points, lang: Lang) -> str:
    places = [*zip(points.names, points.xs, points.ys, strict=True), points.special]
    said = (f"{label(name)} ({x:.1f}, {y:.1f})" for name, x, y in places)
    return _stop(lang, _comma(lang).join(said))


def _order(value: float) -> float:
    return -value if math.isfinite(value) else -math.inf


def _table_row(table: Table, cells: tuple[str, ...], lang: Lang) -> str:
    if not table.head:
        return _stop(lang, _comma(lang).join(cells))
    pairs = (f"{head} {text}".strip() for head, text in zip(table.head, cells, strict=True))
    return _stop(lang, _comma(lang).join(pairs))


def _titled(title: str, lines: list[str], lang: Lang) -> list[str]:
    return [_ended(title, lang), *lines] if title else lines


def _ended(text: str, lang: Lang) -> str:
    return text if text[-1:] in ".:?!。：？！" else text + ("：" if lang == "zh" else ":")


def _comma(lang: Lang) -> str:
    return "，" if lang == "zh" else ", "


def _stop(lang: Lang, text: str) -> str:
    return text + ("。" if lang == "zh" else ".")
