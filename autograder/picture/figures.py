"""Pictures as figures, PNG or SVG, for a poster or a page; matplotlib is loaded when asked for.

The same parts, numbers and scale as everywhere; the file carries its sentences along, as PNG
text or as the title and description of the SVG.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from autograder.picture import sentences
from autograder.picture.colours import (
    difference_colour,
    hexed,
    text_colour,
    weight_colour,
)
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
from autograder.picture.svg import hull
from autograder.picture.widths import fold, label, width

INCHES = 9.5  # of a figure's width
DPI = 130
_INK, _SPECIAL = "#1a386f", "#a34a00"
_FONTS = ("Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", "SimHei")
_MORE_FONTS = (
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "Arial Unicode MS",
)


class FiguresMissing(Exception):
    """matplotlib is not there; the message says how to get it."""


def write_figure(sheet: Sheet, path: Path, *, relative: bool = False) -> None:
    """Write a picture as ``.png`` or ``.svg``, with its sentences as alternative text.

    Raises
    ------
    FiguresMissing
    """
    try:
        import matplotlib
        from matplotlib import font_manager
        from matplotlib.figure import Figure
    except ImportError:
        raise FiguresMissing(
            'a .png or .svg needs matplotlib: pip install "attention-kit[plots]"'
        ) from None
    known = {font.name for font in font_manager.fontManager.ttflist}
    fonts = [name for name in (*_FONTS, *_MORE_FONTS) if name in known]
    told = " ".join(sentences.of_sheet(sheet))
    settings: Any = {
        "font.family": ["DejaVu Sans", *fonts],
        "svg.hashsalt": "attention-kit",
        "svg.fonttype": "none" if not fonts and sheet.lang == "zh" else "path",
    }
    with matplotlib.rc_context(settings):
        rows = [*_rows(sheet)]
        heights = [_height(row) for row in rows]
        figure = Figure(figsize=(INCHES, sum(heights) + 0.9), layout="constrained")
        figure.suptitle(sheet.title, x=0.01, ha="left", fontsize=13, fontweight="bold")
        grid = figure.add_gridspec(len(rows), 1, height_ratios=heights)
        for place, row in enumerate(rows):
            inner = grid[place].subgridspec(1, len(row), wspace=0.08)
            for number, part in enumerate(row):
                _draw(figure.add_subplot(inner[number]), part, sheet, relative)
        if path.suffix.lower() == ".svg":
            figure.savefig(path, format="svg", metadata={"Date": None, "Title": sheet.title})
            _describe(path, sheet.title, told)
        else:
            metadata = {"Title": sheet.title, "Description": told, "Software": None}
            figure.savefig(path, format="png", dpi=DPI, metadata=metadata)


def _describe(path: Path, title: str, told: str) -> None:
    """Give an SVG the title and description that a screen reader reads."""
    text = path.read_text("utf-8")
    head = f"<title>{escape(title)}</title>\n <desc>{escape(told)}</desc>"
    text = re.sub(r"<svg ([^>]*)>", rf'<svg role="img" \1>\n {_literal(head)}', text, count=1)
    path.write_text(text, encoding="utf-8", newline="\n")


def _literal(text: str) -> str:
    return text.replace("\\", r"\\")


def _rows(sheet: Sheet) -> list[Sequence[Part]]:
    """Give the parts in rows of at most two tables; text drawings are left to terminals."""
    rows: list[Sequence[Part]] = []
    own = say("own_heatmap", sheet.lang)
    for part in sheet.parts:
        if isinstance(part, Side):
            kept = [each for each in part.parts if not isinstance(each, Drawn)]
            many = 3 if len(kept) % 3 == 0 else 2
            rows += [kept[i : i + many] for i in range(0, len(kept), many)]
        elif not (isinstance(part, Words) and part.text == own):
            rows.append((part,))
    legend = [Words(say("legend", sheet.lang))] if any(map(_looks, sheet.parts)) else []
    source = [Words(sheet.source)] if sheet.source else []
    return [*rows, *([each] for each in (*legend, *source))]


def _looks(part: Part) -> bool:
    if isinstance(part, Side):
        return any(map(_looks, part.parts))
    return isinstance(part, Grid) and part.kind in ("weights", "difference", "gap", "mask")


def _height(row: Sequence[Part]) -> float:
    return max(_part_height(part) for part in row)


def _part_height(part: Part) -> float:
    if isinstance(part, Grid):
        return 0.34 * len(part.rows) + 0.75
    if isinstance(part, Bars):
        return 0.3 * len(part.names) + 0.5
    if isinstance(part, Table):
        return 0.27 * (len(part.rows) + 1) + 0.45
    if isinstance(part, Points):
        return 3.0
    if isinstance(part, Drawn):
        return 0.22 * (part.text.count("\n") + 1) + 0.5
    return 0.24 * len(fold(part.text, 110)) if isinstance(part, Words) else 0.0


def _draw(axes: Any, part: Part, sheet: Sheet, relative: bool) -> None:
    axes.set_frame_on(False)
    axes.tick_params(length=0, labelsize=10)
    axes.set_xticks([])
    axes.set_yticks([])
    if isinstance(part, Grid):
        _grid(axes, part, sheet, relative)
    elif isinstance(part, Bars):
        _bars(axes, part)
    elif isinstance(part, Table):
        _table(axes, part)
    elif isinstance(part, Points):
        _points(axes, part)
    elif isinstance(part, Drawn):
        _titled(axes, part.title)
        axes.text(0, 1, part.text, va="top", family="monospace", transform=axes.transAxes)
    elif isinstance(part, Words):
        text = "\n".join(fold(part.text, 110))
        axes.text(0, 0.5, text, va="center", fontsize=10.5, transform=axes.transAxes)


def _titled(axes: Any, title: str) -> None:
    axes.set_title("\n".join(fold(title, 56)), loc="left", fontsize=10.5, fontweight="bold")


def _grid(axes: Any, grid: Grid, sheet: Sheet, relative: bool) -> None:
    finite = [abs(each) for each in grid.values.ravel().tolist() if math.isfinite(each)]
    most = (max(finite, default=1.0) or 1.0) if relative else grid.most
    rows, columns = grid.values.shape
    for i in range(rows):
        for j in range(columns):
            _cell(axes, grid, i, j, most)
        if grid.sums or grid.is_marked(i):
            text = sum_text(grid.row_sum(i)) if grid.sums else ""
            mark = " ←" if grid.is_marked(i) else ""
            axes.text(columns + 0.15, i + 0.5, text + mark, va="center", fontsize=10)
    if grid.sums:
        axes.text(columns + 0.15, -0.32, say("sum", sheet.lang), va="center", fontsize=10)
    axes.set_xlim(0, columns + (1.2 if grid.sums or any(grid.marked) else 0))
    axes.set_ylim(rows, 0)
    axes.xaxis.tick_top()
    axes.set_xticks([j + 0.5 for j in range(columns)], map(label, grid.columns))
    axes.set_yticks([i + 0.5 for i in range(rows)], map(label, grid.rows))
    _titled(axes, grid.title)


def _cell(axes: Any, grid: Grid, i: int, j: int, most: float) -> None:
    from matplotlib.patches import Rectangle

    value = float(grid.values[i, j])
    text, ink = ("·" if grid.closed[i, j] else cell_text(grid, value)), "#1a1a1a"
    if grid.kind == "mask" and not grid.closed[i, j]:
        text = "✓"
    if not grid.closed[i, j] and math.isfinite(value) and grid.kind != "values":
        around = grid.kind in ("difference", "signed")
        share = 0.75 if grid.kind == "mask" else value / most
        colour = difference_colour(share) if around else weight_colour(share)
        ink = hexed(text_colour(colour))
        axes.add_patch(Rectangle((j + 0.03, i + 0.03), 0.94, 0.94, color=hexed(colour)))
    axes.text(j + 0.5, i + 0.5, text, ha="center", va="center", color=ink, fontsize=10)


def _bars(axes: Any, bars: Bars) -> None:
    words = bars.words or tuple(f"{value:.2f}" for value in bars.values)
    places = range(len(bars.names))
    shown = [value if math.isfinite(value) else 0.0 for value in bars.values]
    axes.barh(places, shown, height=0.62, color=hexed(weight_colour(0.75)))
    for place, value, word in zip(places, shown, words, strict=True):
        axes.text(value + 0.01 * bars.most, place, word, va="center", fontsize=10)
    axes.set_xlim(0, bars.most * 1.15)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.set_yticks(places, map(label, bars.names))
    _titled(axes, bars.title)


def _table(axes: Any, table: Table) -> None:
    rows = [table.head, *table.rows] if table.head else list(table.rows)
    widths = [max(width(row[j]) for row in rows) + 3 for j in range(len(rows[0]))]
    total = max(sum(widths), 90)
    for i, row in enumerate(rows):
        edge = 0
        for j, text in enumerate(row):
            edge += widths[j]
            bold = "bold" if i == 0 and table.head else "normal"
            x, side = ((edge - 2) / total, "right") if j else (0.0, "left")
            y = 1 - (i + 0.5) / len(rows)
            axes.text(
                x, y, text, ha=side, va="center", fontsize=10, fontweight=bold,
                transform=axes.transAxes,
            )  # fmt: skip
    _titled(axes, table.title)


def _points(axes: Any, points: Points) -> None:
    corners = hull(points)
    axes.fill(*zip(*corners, strict=True), facecolor="#eef1f6", edgecolor="#8a93a6")
    axes.scatter(points.xs, points.ys, color=_INK, zorder=3)
    for name, x, y in zip(points.names, points.xs, points.ys, strict=True):
        axes.annotate(label(name), (x, y), xytext=(6, -4), textcoords="offset points", color=_INK)
    name, x, y = points.special
    axes.scatter([x], [y], marker="X", s=80, color=_SPECIAL, zorder=4)
    axes.annotate(name, (x, y), xytext=(8, 8), textcoords="offset points", color=_SPECIAL)
    axes.margins(0.12)
    _titled(axes, points.title)
