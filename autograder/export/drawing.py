"""Drawings in pages: a class's scores as bars, tables of numbers as shades. No script, no file.

A drawing never stands alone: each has its numbers as text beside or in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.analysis import Bin
from autograder.export.markup import Markup
from autograder.export.markup import element as e

# Anchors of cividis: lightness rises evenly, also for eyes that tell fewer colours apart.
_RAMP = ((0, 34, 78), (65, 77, 107), (124, 123, 120), (188, 175, 111), (254, 232, 56))
WIDTH, HEIGHT, FLOOR, GAP = 660, 210, 170, 6

STYLE = """
svg.bars{width:100%;height:auto;display:block;max-width:46rem}
svg.bars rect{fill:var(--bar)}
svg.bars text{fill:var(--text);font:13px system-ui,sans-serif;text-anchor:middle}
svg.bars text.soft{fill:var(--soft)}
svg.bars line{stroke:var(--line)}
.pair{display:flex;flex-wrap:wrap;gap:1rem 2rem;margin:.6rem 0}
.pair figure{margin:0}
.pair figcaption{font-size:.86rem;color:var(--soft);margin-bottom:.3rem}
table.heat{width:auto;font-size:.86rem;font-variant-numeric:tabular-nums}
table.heat td{padding:.3rem .5rem;border:0;text-align:right;min-width:2.7rem;
 print-color-adjust:exact;-webkit-print-color-adjust:exact}
table.heat .sum{color:var(--soft)}
.pair pre{margin:0}
"""


def histogram(bins: Sequence[Bin], title: str, labels: Sequence[str]) -> Markup:
    """Draw how many hand-ins lie in each bin; `labels` stand below the bars."""
    most = max((each.count for each in bins), default=0) or 1
    step = WIDTH / max(1, len(bins))
    parts = [e("title", title)]
    for place, (each, label) in enumerate(zip(bins, labels, strict=True)):
        left, tall = place * step + GAP / 2, (FLOOR - 24) * each.count / most
        middle = f"{left + (step - GAP) / 2:.1f}"
        box = {"x": f"{left:.1f}", "y": f"{FLOOR - tall:.1f}", "rx": "3"}
        parts.append(e("rect", width=f"{step - GAP:.1f}", height=f"{tall:.1f}", **box))
        parts.append(e("text", str(each.count), x=middle, y=f"{FLOOR - tall - 6:.1f}"))
        parts.append(e("text", label, x=middle, y=str(FLOOR + 20), class_="soft"))
    parts.append(e("line", x1="0", x2=str(WIDTH), y1=str(FLOOR), y2=str(FLOOR)))
    # The table beside it says the same: a reader aloud need not read the picture bar by bar.
    return e(
        "svg",
        *parts,
        class_="bars",
        viewBox=f"0 0 {WIDTH} {HEIGHT - 10}",
        role="img",
        aria_label=title,
    )


def heat(
    rows: Sequence[Sequence[float]], low: float, high: float, label: str, sums: str = ""
) -> Markup:
    """Draw a table of numbers with each cell shaded by its value; `sums` heads their row sums."""
    body = []
    for row in rows:
        cells = [_cell(value, low, high) for value in row]
        if sums:
            cells.append(e("td", f"{sum(row):.2f}", class_="sum"))
        body.append(e("tr", *cells))
    blank = [e("td") for _ in rows[0]] if rows else []
    head = [e("thead", e("tr", *blank, e("th", sums, scope="col", class_="n")))] if sums else []
    return e("table", *head, e("tbody", *body), class_="heat", aria_label=label)


def _cell(value: float, low: float, high: float) -> Markup:
    share = (value - low) / (high - low) if high > low else 0.0
    if value != value:
        return e("td", "nan")
    red, green, blue = shade(share)
    ink = "#000" if _light(red, green, blue) > 0.18 else "#fff"
    style = f"background:#{red:02x}{green:02x}{blue:02x};color:{ink}"
    return e("td", f"{value:.2f}", style=style)


def shade(share: float) -> tuple[int, int, int]:
    """Give the colour of a share between 0 and 1; what lies outside gets an end's colour."""
    at = min(1.0, max(0.0, share)) * (len(_RAMP) - 1)
    place = min(int(at), len(_RAMP) - 2)
    part = at - place
    red, green, blue = (
        round(one + part * (other - one))
        for one, other in zip(_RAMP[place], _RAMP[place + 1], strict=True)
    )
    return red, green, blue


def _light(*colour: int) -> float:
    """Give the relative luminance of a colour, as contrast is measured by."""
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in (each / 255 for each in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
