"""Draws what the benchmarks measured: PNG or SVG, in colours that everyone can tell apart.

Nothing is told by colour alone, and every drawing carries its own words as metadata, for those who
do not see it; `benchmarks/README.md` says them too. What was measured is not known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

OURS, THEIRS = "#0072B2", "#595959"  # blue and grey of Okabe and Ito's palette
SECOND = "#D55E00"


def _axes(height: float) -> tuple[Any, Any]:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"font.size": 10, "svg.fonttype": "none", "svg.hashsalt": "attn"})
    figure, axes = plt.subplots(figsize=(7, height))
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(True, axis="both", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _save(figure: Any, path: Path, said: str) -> None:
    figure.tight_layout()
    svg = path.suffix == ".svg"
    metadata = {"Description": said, **({"Date": None} if svg else {"Software": None})}
    figure.savefig(path, dpi=150, metadata=metadata)
    print(f"{path}: {said}")


def ways(rows: Sequence[tuple[str, Sequence[float], bool]], path: Path, title: str) -> None:
    """Draw seconds of each way: every round a small dot, the median a large one with its number.

    Parameters
    ----------
    rows : sequence of (str, sequence of float, bool)
        The way, its seconds in each round, whether it is ours.
    """
    import statistics

    rows = sorted(rows, key=lambda row: statistics.median(row[1]))
    figure, axes = _axes(0.9 + 0.42 * len(rows))
    for place, (_, seconds, own) in enumerate(rows):
        middle, colour = statistics.median(seconds), OURS if own else THEIRS
        axes.plot(seconds, [place] * len(seconds), "|", color=colour, markersize=9)
        axes.plot([middle], [place], "o" if own else "s", color=colour, markersize=8)
        text = f"{middle:.2g} s" if middle >= 0.995 else f"{1000 * middle:.0f} ms"
        axes.annotate(text, (middle, place), (0, 8), textcoords="offset points", ha="center")
    axes.set_xscale("log")
    low = min(min(seconds) for _, seconds, _ in rows)
    high = max(max(seconds) for _, seconds, _ in rows)
    axes.set_xlim(low / 1.8, high * 1.8)
    axes.set_ylim(len(rows) - 0.4, -0.8)
    axes.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel("seconds a hand-in (logarithmic); ● attention-kit, ■ others, | each round")
    axes.set_title(title, fontsize=10, loc="left")
    told = ", ".join(f"{name} {statistics.median(seconds):.3g} s" for name, seconds, _ in rows)
    _save(figure, path, f"{title}. Median seconds a hand-in: {told}.")


def growth(rows: Sequence[tuple[int, float, float]], path: Path, title: str) -> None:
    """Draw milliseconds a hand-in over the size of the class.

    Parameters
    ----------
    rows : sequence of (int, float, float)
        Size; milliseconds a hand-in of the whole run; the same from the first result to the last.
    """
    figure, axes = _axes(3.4)
    sizes = [size for size, _, _ in rows]
    lines = (
        ("o-", OURS, 1, "whole run, start included"),
        ("s--", SECOND, 2, "first result to last"),
    )
    for style, colour, column, name in lines:
        axes.plot(sizes, [row[column] for row in rows], style, color=colour, label=name)
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set_ylim(0, 1.15 * max(max(whole, steady) for _, whole, steady in rows))
    axes.set_xlabel("hand-ins in the class")
    axes.set_ylabel("milliseconds a hand-in")
    axes.set_title(title, fontsize=10, loc="left")
    axes.legend(frameon=False)
    told = ", ".join(f"{size:,}: {whole:.3g} ({steady:.3g})" for size, whole, steady in rows)
    said = "Milliseconds a hand-in by size of the class, in brackets from first result to last"
    _save(figure, path, f"{title}. {said}: {told}.")
