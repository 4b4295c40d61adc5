"""Pictures as HTML for a notebook: tables with words in them, inline colours, no script.

Every number stands as text in a cell that also says whose it is, so that nothing depends on
colour or on eyes. Alike in nbgrader's feedback pages and in JupyterLite: no style sheet needed.
"""

from __future__ import annotations

import math
from html import escape

from autograder.messages import Lang
from autograder.picture import sentences
from autograder.picture.colours import (
    Rgb,
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
    cell_text,
    say,
    sum_text,
)
from autograder.picture.svg import points_svg
from autograder.picture.widths import label, width

_TABLE = "border-collapse:collapse;margin:0;font-variant-numeric:tabular-nums;width:auto"
_CAPTION = "text-align:left;font-weight:600;padding:0 0 4px;caption-side:top;color:inherit"
_HEAD = "padding:2px 7px;font-weight:500;border:0;background:none;white-space:nowrap"
_CELL = "padding:3px 7px;text-align:{align};border:1px solid #fff;white-space:nowrap;min-width:2em"
_BOX = "display:flex;flex-wrap:wrap;gap:12px 32px;margin:0 0 14px"
_TEXT = "margin:0 0 12px;max-width:44em"
_MOST_ROWS = 64
_ONE_LINE = 48  # cells of a caption that is not broken, however narrow its table


def sheet_html(sheet: Sheet, *, relative: bool = False) -> str:
    """Give a whole picture as one HTML fragment."""
    title = f'<p style="font-weight:600;margin:0 0 10px">{escape(sheet.title)}</p>'
    body = [part_html(part, sheet.lang, relative=relative) for part in sheet.parts]
    if any(_looks(part) for part in sheet.parts):
        body.append(f'<p style="{_TEXT}">{escape(say("legend", sheet.lang))}</p>')
    if sheet.source:
        body.append(f'<p style="{_TEXT};color:#595959">{escape(sheet.source)}</p>')
    code = "zh-Hans" if sheet.lang == "zh" else "en"
    return (
        f'<section lang="{code}" style="font-size:14px;line-height:1.4;margin:8px 0">'
        + (title if sheet.title else "")
        + "".join(body)
        + "</section>"
    )


def page(sheet: Sheet, *, relative: bool = False) -> str:
    """Give a whole HTML page with one picture on it."""
    code = "zh-Hans" if sheet.lang == "zh" else "en"
    return (
        f'<!doctype html>\n<html lang="{code}"><head><meta charset="utf-8">'
        f"<title>{escape(sheet.title)}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1"></head>'
        '<body style="font-family:system-ui,sans-serif;margin:24px;color:#1a1a1a;'
        f'background:#fff">{sheet_html(sheet, relative=relative)}</body></html>\n'
    )


def part_html(part: Part, lang: Lang, *, relative: bool = False) -> str:
    """Give one part as HTML."""
    if isinstance(part, Side):
        inner = "".join(part_html(each, lang, relative=relative) for each in part.parts)
        return f'<div style="{_BOX}">{inner}</div>'
    if isinstance(part, Grid):
        return _box(_grid(part, lang, relative))
    if isinstance(part, Bars):
        return _box(_bars(part))
    if isinstance(part, Table):
        return _box(_table(part))
    if isinstance(part, Points):
        told = " ".join(sentences.of_part(part, lang))
        return (
            f'<figure style="margin:0 0 14px"><figcaption style="{_CAPTION}">'
            f"{escape(part.title)}</figcaption>{points_svg(part, told)}</figure>"
        )
    if isinstance(part, Drawn):
        title = f'<p style="{_CAPTION};margin:0">{escape(part.title)}</p>'
        style = "line-height:1.25;background:none;margin:0 0 14px;padding:0;font-size:14px"
        told = escape(part.title or say("own_heatmap", lang), quote=True)
        return (
            f'<div style="display:inline-block">{title}<pre role="img" aria-label="{told}" '
            f'style="{style}">{escape(part.text)}</pre></div>'
        )
    return f'<p style="{_TEXT}">{escape(part.text)}</p>'


def _looks(part: Part) -> bool:
    if isinstance(part, Side):
        return any(_looks(each) for each in part.parts)
    return isinstance(part, Grid) and part.kind in ("weights", "difference", "gap", "mask")


def _box(table: str) -> str:
    return f'<div style="overflow-x:auto;margin:0 0 14px">{table}</div>'


def _open(title: str) -> str:
    wrap = ";white-space:nowrap" if width(title) <= _ONE_LINE else ""
    caption = f'<caption style="{_CAPTION}{wrap}">{escape(title)}</caption>' if title else ""
    return f'<table style="{_TABLE}">{caption}'


def _th(text: str, scope: str, align: str = "right") -> str:
    return f'<th scope="{scope}" style="{_HEAD};text-align:{align}">{escape(text)}</th>'


def _td(text: str, told: str = "", colour: Rgb | None = None, align: str = "right") -> str:
    style = _CELL.format(align=align)
    if colour is not None:
        style += f";background:{hexed(colour)};color:{hexed(text_colour(colour))}"
    aria = f' aria-label="{escape(told, quote=True)}"' if told else ""
    return f'<td{aria} style="{style}">{escape(text)}</td>'


def _grid(grid: Grid, lang: Lang, relative: bool) -> str:
    rows = [label(name) for name in grid.rows[:_MOST_ROWS]]
    columns = [label(name) for name in grid.columns]
    most = _most(grid, relative)
    lines = []
    head = "".join(_th(name, "col") for name in columns) if any(columns) else ""
    if grid.sums and head:
        head += _th(say("sum", lang), "col")
    if head:
        lines.append(f"<thead><tr><td></td>{head}</tr></thead>")
    lines.append("<tbody>")
    for i, name in enumerate(rows):
        cells = "".join(_cell(grid, i, j, most, lang) for j in range(len(columns)))
        if grid.sums:
            mark = " ←" if grid.is_marked(i) else ""
            total = sum_text(grid.row_sum(i))
            told = sentences.row_end(grid, i, lang)
            cells += _td(total + mark, told)
        elif grid.is_marked(i):
            cells += _td("←", say(grid.mark, lang).lstrip("；; "))
        lines.append(f"<tr>{_th(name, 'row', 'left')}{cells}</tr>")
    lines.append("</tbody></table>")
    if len(grid.rows) > _MOST_ROWS:
        lines.append(f"<p>{escape(say('more_rows', lang, count=len(grid.rows) - _MOST_ROWS))}</p>")
    return _open(grid.title) + "".join(lines)


def _most(grid: Grid, relative: bool) -> float:
    finite = [abs(each) for each in grid.values.ravel().tolist() if math.isfinite(each)]
    return (max(finite, default=1.0) or 1.0) if relative else grid.most


def _cell(grid: Grid, i: int, j: int, most: float, lang: Lang) -> str:
    value = float(grid.values[i, j])
    if grid.kind == "mask":
        told = sentences.place(grid, i, j, lang)
        if grid.closed[i, j]:
            return _td("·", told, align="center")
        return _td("✓", told, weight_colour(0.75), "center")
    if grid.closed[i, j]:
        return _td("·", sentences.place(grid, i, j, lang))
    share = value / most
    colour: Rgb | None = None
    if grid.kind in ("difference", "signed"):
        colour = difference_colour(share)
    elif grid.kind in ("weights", "gap", "whole"):
        colour = weight_colour(share)
    colour = colour if math.isfinite(value) else None
    return _td(cell_text(grid, value), sentences.place(grid, i, j, lang), colour)


def _bars(bars: Bars) -> str:
    words = bars.words or tuple(f"{value:.2f}" for value in bars.values)
    lines = []
    for name, value, word in zip(bars.names, bars.values, words, strict=True):
        share = value / bars.most if math.isfinite(value) else 0.0
        cells = round(min(max(share, 0.0), 1.0) * 240)
        bar = (
            f'<td aria-hidden="true" style="border:0;padding:3px 7px;text-align:left;width:100%">'
            f'<div style="width:{cells}px;height:12px;background:{hexed(weight_colour(0.75))}">'
            "</div></td>"
        )
        lines.append(f"<tr>{_th(label(name), 'row', 'left')}{_td(word)}{bar}</tr>")
    return f"{_open(bars.title)}<tbody>{''.join(lines)}</tbody></table>"


def _table(table: Table) -> str:
    head = "".join(
        _th(text, "col", "right" if place else "left") if text else "<td></td>"
        for place, text in enumerate(table.head)
    )
    rows = "".join(
        f"<tr>{_th(cells[0], 'row', 'left')}{''.join(_td(text) for text in cells[1:])}</tr>"
        for cells in table.rows
    )
    top = f"<thead><tr>{head}</tr></thead>" if table.head else ""
    return f"{_open(table.title)}{top}<tbody>{rows}</tbody></table>"
