"""Turn a notebook's text into units of code, inside the worker.

Text in, units out; what cannot be a notebook raises `Unreadable`. JSON of a student can be deadly
to parse, so this runs next to `source`, which catches the rest, with the standard library only.

- A cell's number counts all cells of the notebook from the top, text cells too.
- Cells with the same grade id are copies or halves. Halves (neighbours that only together are
  Python) are joined. Of copies, all run in their order and the last that is not an untouched stub
  keeps the grade id; an untouched one after it is left out.
- A solution cell that was turned into text counts as code.
- Cells that only ask for a grade, ``grade("softmax")``, are left out.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from dataclasses import dataclass
from typing import Any

Slots = dict[str, str | int]

MAX_CELLS = 2_000
OTHER_KERNELS = re.compile(
    r"(ir|julia|javascript|deno|tslab|bash|octave|matlab|scala|almond|rust|evcxr|java|ijava|ruby|"
    r"sas|stata|xcpp|haskell|ihaskell|gophernotes|csharp|sql)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Unit:
    """One piece of code, run as a whole.

    Attributes
    ----------
    label : str
        The file's name, or ``cell 7``.
    code : str
        Python text, lines ended by a line feed.
    grade_id : str or None
        The solution cell's id in nbgrader's metadata; each id stands at one unit at most.
    first_line : int
        What line the code starts at, as the student counts.
    tree : ast.Module or None
        The code as syntax, where reading it has made that already.
    """

    label: str
    code: str
    grade_id: str | None = None
    first_line: int = 1
    tree: ast.Module | None = None


class Unreadable(Exception):
    """Ends the reading: kind, detail, line."""

    def __init__(self, kind: str, detail: str = "", line: int | None = None) -> None:
        super().__init__(kind)
        self.kind, self.detail, self.line = kind, shown(detail), line


def shown(text: object, limit: int = 60) -> str:
    """Give text of the student's on one line, cut, with every unprintable sign escaped."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text)[: limit + 1])
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise Unreadable("not-notebook", "duplicate key")
    return made


def _integer(digits: str) -> int:
    return int(digits) if len(digits) < 20 else 0  # nobody counts that far; `int` would be slow


def units(text: str, notices: list[tuple[str, Slots]]) -> list[Unit]:
    """Give the code cells of a notebook's JSON text, in order; adds to `notices`.

    Raises
    ------
    Unreadable
        ``empty-file json not-notebook nbformat-3 nbformat-newer too-many-cells language``.
    RecursionError, MemoryError
        From JSON that is nested too deeply, or too large.
    """
    if not text.strip():
        raise Unreadable("empty-file")
    try:
        book = json.loads(text, object_pairs_hook=_object, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise Unreadable("json", "", error.lineno) from None
    if not isinstance(book, dict):
        raise Unreadable("not-notebook")
    version = book.get("nbformat", 4)
    if version in (1, 2, 3) or ("worksheets" in book and "cells" not in book):
        raise Unreadable("nbformat-3", str(version))
    if isinstance(version, int) and version > 4:
        raise Unreadable("nbformat-newer", str(version))
    cells = book.get("cells")
    if not isinstance(cells, list):
        raise Unreadable("not-notebook")
    if len(cells) > MAX_CELLS:
        raise Unreadable("too-many-cells", str(len(cells)))
    _language(book.get("metadata"), notices)
    every = (_cell(cell, number, notices) for number, cell in enumerate(cells, start=1))
    return _one_unit_an_id([unit for unit in every if unit is not None], notices)


def _language(metadata: object, notices: list[tuple[str, Slots]]) -> None:
    about = metadata if isinstance(metadata, dict) else {}
    spec, info = about.get("kernelspec"), about.get("language_info")
    spec = spec if isinstance(spec, dict) else {}
    info = info if isinstance(info, dict) else {}
    kernel, language = spec.get("name"), info.get("name") or spec.get("language")
    if isinstance(kernel, str) and OTHER_KERNELS.match(kernel):
        raise Unreadable("language", kernel)
    if isinstance(language, str) and "python" not in language.lower():
        raise Unreadable("language", language)
    if isinstance(kernel, str) and kernel not in ("python3", "python", ""):
        notices.append(("kernel", {"kernel": shown(kernel)}))


def _cell(cell: object, number: int, notices: list[tuple[str, Slots]]) -> Unit | None:
    label = f"cell {number}"
    if not isinstance(cell, dict):
        raise Unreadable("not-notebook", label)
    metadata = cell.get("metadata")
    mark = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    mark = mark if isinstance(mark, dict) else {}
    grade_id = mark.get("grade_id")
    grade_id = grade_id if isinstance(grade_id, str) and grade_id.isidentifier() else None
    solution = mark.get("solution") is True and grade_id is not None
    if cell.get("cell_type") != "code":
        if not (solution and mark.get("cell_type") == "code"):
            return None
        notices.append(("cell-as-text", {"cell": label, "name": shown(grade_id)}))
    code = _source(cell.get("source", ""), label)
    if mark.get("grade") is True and not solution and _only_grades(code):
        return None
    return Unit(label, code, grade_id if solution else None)


def _source(source: object, label: str) -> str:
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        ended = any(line.endswith("\n") for line in source[:-1])
        source = ("" if ended else "\n").join(source)
    if not isinstance(source, str):
        raise Unreadable("not-notebook", label)
    # A lone surrogate or a NUL would stop the compiler with something else than a SyntaxError.
    source = re.sub("[\0\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", source)
    return source.replace("\r\n", "\n").replace("\r", "\n")


def _only_grades(code: str) -> bool:
    lines = (line.strip() for line in code.split("\n"))
    return all(
        not line or line.startswith("#") or re.fullmatch(r"grade\(\s*[\"']\w+[\"']\s*\)", line)
        for line in lines
    )


def _tree(code: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a "\\d" in the student's text is not ours to report
        try:
            return ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _untouched(code: str) -> bool:
    tree = _tree(code)
    if tree is None:
        return False
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    if not functions:
        return not tree.body
    return all(
        isinstance(last := each.body[-1], ast.Raise)
        and "NotImplementedError" in ast.dump(last)
        and all(isinstance(line, ast.Expr) for line in each.body[:-1])
        for each in functions
    )


def _same_id(one: Unit, other: Unit) -> bool:
    return one.grade_id is not None and one.grade_id == other.grade_id


def _one_unit_an_id(cells: list[Unit], notices: list[tuple[str, Slots]]) -> list[Unit]:
    """Join halves of a split cell, and leave each grade id at one unit."""
    joined: list[Unit] = []
    for unit in cells:
        before = joined[-1] if joined else None
        if before is not None and (_same_id(before, unit) or unit.code[:1] in (" ", "\t")):
            whole = before.code.rstrip("\n") + "\n" + unit.code
            halves = _tree(before.code) is None or _tree(unit.code) is None
            if halves and _tree(whole) is not None:
                joined[-1] = Unit(before.label, whole, before.grade_id or unit.grade_id)
                notices.append(("cell-split", {"first": before.label, "second": unit.label}))
                continue
        joined.append(unit)
    places: dict[str, list[int]] = {}
    for place, unit in enumerate(joined):
        if unit.grade_id:
            places.setdefault(unit.grade_id, []).append(place)
    left_out: set[int] = set()
    for name, where in places.items():
        if len(where) == 1:
            continue
        tried = [place for place in where if not _untouched(joined[place].code)]
        counts = tried[-1] if tried else where[-1]
        for place in where:
            if place > counts:
                left_out.add(place)
            elif place < counts:
                joined[place] = Unit(joined[place].label, joined[place].code)
        labels = ", ".join(joined[place].label for place in where[:6])
        slots: Slots = {"name": name, "cells": shown(labels), "counts": joined[counts].label}
        notices.append(("cell-copied", slots))
    return [
        Unit(unit.label, _dedented(unit.code), unit.grade_id)
        for place, unit in enumerate(joined)
        if place not in left_out
    ]


def _dedented(code: str) -> str:
    """Take away the first line's indent, as Jupyter does before it runs a cell."""
    first = re.match(r"(?:[ \t]*\n)*([ \t]+)\S", code)
    if first is None:
        return code
    return "\n".join(line.removeprefix(first[1]) for line in code.split("\n"))
