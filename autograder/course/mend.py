"""Make a handed-in notebook one that nbgrader can take: each cell that counts once, in its form.

Students copy, split, move, delete, retype and edit cells. Here a notebook gets back what
nbgrader needs, and every change is named. What counts for the score is not decided here: it is
judged from the file as it was handed in.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_BYTES = 32 * 2**20
MAX_CELLS = 2_000
MAX_SOURCE = 2**20  # characters of one cell

Notice = tuple[str, Mapping[str, str | int]]
Cell = dict[str, Any]


@dataclass(frozen=True)
class Expected:
    """A cell that nbgrader knows of.

    Attributes
    ----------
    name : str
        Its grade_id.
    source : str
        As it was released.
    points : float or None
        None where it is no grade cell.
    """

    name: str
    cell_type: str
    source: str
    checksum: str | None
    locked: bool
    grade: bool
    solution: bool
    points: float | None = None

    def metadata(self) -> Cell:
        """Give nbgrader's metadata as the released notebook has it."""
        told: Cell = {
            "cell_type": self.cell_type,
            "checksum": self.checksum,
            "grade": self.grade,
            "grade_id": self.name,
            "locked": self.locked,
            "schema_version": 3,
            "solution": self.solution,
            "task": False,
        }
        return told if self.points is None else {**told, "points": self.points}


@dataclass
class Mended:
    """A notebook that nbgrader can take.

    Attributes
    ----------
    cells : list of dict
    notices : list of (str, dict)
        Codes under ``[course.*]`` and what fills them.
    """

    cells: list[Cell]
    notices: list[Notice] = field(default_factory=list)


def mended(data: bytes | None, expected: Iterable[Expected]) -> Mended:
    """Give the cells of a handed-in notebook, mended; all as released where it cannot be read."""
    wanted = {each.name: each for each in expected}
    cells = _cells(data)
    made = Mended([_ordinary(cell) for cell in cells])
    _place_ids(made, wanted)
    _add_missing(made, wanted)
    return made


def _cells(data: bytes | None) -> list[Cell]:
    if data is None or len(data) > MAX_BYTES:
        return []
    try:
        book = json.loads(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError, MemoryError):
        return []
    cells = book.get("cells") if isinstance(book, dict) else None
    if not isinstance(cells, list):
        return []
    return [cell for cell in cells[:MAX_CELLS] if isinstance(cell, dict)]


def _ordinary(cell: Cell) -> Cell:
    """Give a cell with nothing in it but its text, its kind and what nbgrader wrote into it."""
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    source = source if isinstance(source, str) else ""
    source = source.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace").decode()
    kind = cell.get("cell_type")
    metadata = cell.get("metadata")
    mark = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    grade_id = mark.get("grade_id") if isinstance(mark, dict) else None
    kind = kind if kind in ("code", "markdown", "raw") else "raw"
    return _cell(
        kind, source[:MAX_SOURCE], {"grade_id": grade_id} if isinstance(grade_id, str) else None
    )


def _cell(kind: str, source: str, mark: Cell | None = None) -> Cell:
    made: Cell = {"cell_type": kind, "metadata": {}, "source": source}
    if mark is not None:
        made["metadata"]["nbgrader"] = mark
    if kind == "code":
        made |= {"outputs": [], "execution_count": None}
    return made


def _mark(cell: Cell) -> str | None:
    mark = cell["metadata"].get("nbgrader")
    return mark.get("grade_id") if mark else None


def _place_ids(made: Mended, wanted: Mapping[str, Expected]) -> None:
    """Let each grade_id stand at one cell, in the released form; drop those nobody knows."""
    places: dict[str, list[int]] = {}
    for number, cell in enumerate(made.cells):
        name = _mark(cell)
        if name is not None:
            places.setdefault(name, []).append(number)
    for name, where in places.items():
        if name not in wanted:
            made.notices.append(("unknown-cell", {"name": name[:60]}))
            keep = -1
        else:
            keep = _counting(made.cells, where, wanted[name])
        for number in where:
            if number == keep:
                _restore(made, number, wanted[name])
            else:
                del made.cells[number]["metadata"]["nbgrader"]
        if len(where) > 1 and keep >= 0:
            slots: dict[str, str | int] = {"name": name, "count": len(where), "cell": keep + 1}
            made.notices.append(("copied-cell", slots))


def _counting(cells: list[Cell], where: list[int], expected: Expected) -> int:
    """Give the place of the copy that counts: the last that is not the untouched stub."""
    if not expected.solution:
        return where[0]
    tried = [n for n in where if cells[n]["source"].strip() != expected.source.strip()]
    return tried[-1] if tried else where[-1]


def _restore(made: Mended, number: int, expected: Expected) -> None:
    cell = made.cells[number]
    source = cell["source"]
    if cell["cell_type"] != expected.cell_type:
        made.notices.append(("retyped-cell", {"name": expected.name}))
    if expected.locked and source.strip() != expected.source.strip():
        made.notices.append(("edited-cell", {"name": expected.name}))
    source = expected.source if expected.locked else source
    made.cells[number] = _cell(expected.cell_type, source, expected.metadata())


def _add_missing(made: Mended, wanted: Mapping[str, Expected]) -> None:
    """Put released cells back that are not there, each behind the one before it."""
    before: str | None = None
    lacking = []
    for name, expected in wanted.items():
        places = {_mark(cell): number for number, cell in enumerate(made.cells)}
        if name not in places:
            lacking.append(name)
            at = places[before] + 1 if before is not None else 0
            made.cells.insert(at, _cell(expected.cell_type, expected.source, expected.metadata()))
        before = name
    if lacking and len(lacking) < len(wanted):
        names = ", ".join(lacking[:12]) + (f" (+{len(lacking) - 12})" if len(lacking) > 12 else "")
        made.notices.append(("missing-cell", {"names": names}))
