"""Drawings in pages: a class's scores as bars. No script, no file.

A drawing never stands alone: each has its numbers as text beside or in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.analysis import Bin
from autograder.export.markup import Markup
from autograder.export.markup import element as e

WIDTH, HEIGHT, FLOOR, GAP = 660, 210, 170, 6

STYLE = """
svg.bars{width:100%;height:auto;display:block;max-width:46rem}
svg.bars rect{fill:var(--bar)}
svg.bars text{fill:var(--text);font:13px system-ui,sans-serif;text-anchor:middle}
@media (max-width:40rem){svg.bars text{font-size:20px}}
svg.bars text.soft{fill:var(--soft)}
svg.bars line{stroke:var(--line)}
.pair{display:flex;flex-wrap:wrap;gap:1rem 2rem;margin:.6rem 0}
.pair figure{margin:0}
.pair figcaption{font-size:.86rem;color:var(--soft);margin-bottom:.3rem}
.picture{margin:.6rem 0;overflow-x:auto}
.picture td,.picture th{vertical-align:middle}
.picture td{print-color-adjust:exact;-webkit-print-color-adjust:exact}
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
