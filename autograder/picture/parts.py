"""What pictures are made of: grids, bars, tables and sentences, before anything is drawn.

Frozen values in, nothing out: how a part looks in a terminal, in HTML or in a figure is told by
the modules that draw. Every number that is shown stands in a part, so that all of them agree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from autograder.messages import Lang, ui

Kind = Literal["weights", "difference", "signed", "gap", "values", "whole", "mask"]
Numbers: TypeAlias = NDArray[np.float64]

CLOSED = 1e-12  # a weight below this stands for a closed place


def say(key: str, lang: Lang, **slots: Any) -> str:
    """Give a sentence or word of pictures."""
    return ui(f"picture.{key}", lang, **slots)


@dataclass(frozen=True, eq=False)
class Grid:
    """A table of numbers; rows look, columns are looked at.

    Attributes
    ----------
    values : ndarray of shape (n_q, n_k)
    rows, columns : tuple of str
    title : str
    kind : str
        ``weights`` (0 to 1), ``difference`` (-1 to 1, with signs), ``signed`` (around 0, rows
        and columns do not look), ``gap`` (0 to 1, no place is closed), ``values`` (any numbers),
        ``whole`` (whole numbers), ``mask`` (1 open, 0 closed).
    sums : bool
        Whether each row's sum stands at its end.
    marked : tuple of bool
        Rows to look at: they get an arrow.
    mark : str
        What the arrow says: ``differs`` (from the target), ``not_one`` (the row's sum).
    most : float
        The value that is drawn darkest: 1 for weights, unless a picture is relative.
    """

    values: Numbers
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    title: str = ""
    kind: Kind = "weights"
    sums: bool = False
    marked: tuple[bool, ...] = ()
    mark: Literal["differs", "not_one"] = "differs"
    most: float = 1.0

    @property
    def closed(self) -> NDArray[np.bool_]:
        """Places that get no weight at all."""
        if self.kind not in ("weights", "mask"):
            return np.zeros(self.values.shape, dtype=bool)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.abs(self.values) < CLOSED)

    def row_sum(self, row: int) -> float:
        """Give one row's sum."""
        with np.errstate(all="ignore"):
            return float(self.values[row].sum())

    def is_marked(self, row: int) -> bool:
        """Whether a row gets an arrow."""
        return bool(self.marked) and self.marked[row]


@dataclass(frozen=True, eq=False)
class Bars:
    """One row as bars: a token's looks, or shares of anything; 0 to `most`."""

    names: tuple[str, ...]
    values: tuple[float, ...]
    title: str = ""
    most: float = 1.0
    words: tuple[str, ...] = ()  # what stands behind each bar, instead of its number


@dataclass(frozen=True)
class Table:
    """Words and numbers that are written, not drawn."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""


@dataclass(frozen=True)
class Words:
    """A sentence between pictures."""

    text: str


@dataclass(frozen=True)
class Drawn:
    """A picture that someone else drew as text: a student's own heatmap."""

    text: str
    title: str = ""


@dataclass(frozen=True)
class Side:
    """Parts side by side, where there is room."""

    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Points:
    """Points of a plane with their names, and one more that lies among them."""

    names: tuple[str, ...]
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    special: tuple[str, float, float]
    title: str = ""


Part: TypeAlias = Grid | Bars | Table | Words | Drawn | Points | Side


@dataclass(frozen=True)
class Sheet:
    """A whole picture: its title, its parts, and one sentence on whose numbers they are."""

    title: str
    parts: tuple[Part, ...]
    source: str = ""
    lang: Lang = "en"
    frames: tuple[tuple[Part, ...], ...] = field(default=())  # for --animate


def words_looked_at(row: Numbers) -> float:
    """Say how many words a row looks at: 1 for one word alone, n for n words alike.

    The exponential of the row's entropy, as a product of powers.
    """
    return float(math.prod(weight**-weight for weight in row.tolist() if weight > 0))


def weight_text(value: float) -> str:
    """Write a weight in at most five signs: ``.68``, ``1.0``, ``-.31``, ``nan``."""
    if not math.isfinite(value):
        return str(float(value))
    if abs(value) >= 9.995:
        return f"{value:.0f}" if abs(value) < 10_000 else f"{value:.0e}".replace("e+0", "e")
    if abs(value) >= 0.995:
        return f"{value:.1f}"
    short = f"{abs(value):.2f}"[1:]
    return f"-{short}" if value < -0.005 else short


def signed_text(value: float) -> str:
    """Write a difference with its sign; one that rounds to 0 has none."""
    if not math.isfinite(value):
        return str(float(value))
    text = f"{value:+.2f}"
    return "0" if abs(value) < 0.005 else text[0] + text[2:] if text[1] == "0" else text


def cell_text(grid: Grid, value: float) -> str:
    """Write one number of a grid as it stands in its cell."""
    if grid.kind == "whole":
        return f"{value:.0f}" if math.isfinite(value) else str(float(value))
    if grid.kind in ("difference", "signed"):
        return signed_text(value)
    if grid.kind in ("weights", "gap"):
        return weight_text(value)
    if grid.kind == "mask":
        return "1"
    return f"{value:.3g}" if abs(value) >= 1000 else f"{value:.2f}".replace("-0.00", "0.00")


def sum_text(value: float) -> str:
    """Write a row's sum."""
    if not math.isfinite(value):
        return str(float(value))
    return f"{value:.2f}" if abs(value) < 1000 else f"{value:.2g}"
