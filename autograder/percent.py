"""Reads the text of a solution file: header, percent cells, solution markers; errors by line.

The format is the one that jupytext writes: ``# %%`` starts a code cell, ``# %% [markdown]`` a
lesson cell, ``# %% [markdown] lang="zh"`` its Chinese twin. The module knows nothing of folders.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"

_CELL = re.compile(r"# %%(?: \[(?P<kind>\w+)\])?(?P<rest>.*)")
_LANG = re.compile(r'\blang="(\w+)"')


class SourceError(Exception):
    """A solution file that cannot be used, told with its file and line."""

    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}, line {line}: {message}")
        self.path, self.line = path, line


@dataclass(frozen=True)
class Cell:
    """One percent cell of a solution file.

    Attributes
    ----------
    kind : {"markdown", "code"}
    lang : str
        ``en``, or ``zh`` for the Chinese twin of the markdown cell before it.
    text : str
        The cell's text without comment signs (markdown) or as it stands (code), stripped of
        blank lines at both ends.
    line : int
        The line in the file on which `text` starts.
    names : tuple of str
        The graded names that a code cell defines: those whose body holds solution markers.
    """

    kind: Literal["markdown", "code"]
    lang: str
    text: str
    line: int
    names: tuple[str, ...] = ()


_FIELDS: dict[str, type] = {"title": str, "title_zh": str, "minutes": int, "difficulty": int}
_OPTIONAL = {"forbidden", "forbidden_cost"}  # read and held to their rules in `forbidden`


def read_header(path: Path, source: str) -> tuple[dict[str, Any], int]:
    """Give the header's fields and the number of lines that it takes."""
    lines = source.split("\n")
    if lines[0].rstrip() != "# /// exercise":
        raise SourceError(path, 1, "the file starts with the header `# /// exercise`")
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() == "# ///"), None)
    if end is None:
        raise SourceError(path, 1, "the header is not closed by a line `# ///`")
    try:
        found = tomllib.loads("\n".join(line.removeprefix("#").strip() for line in lines[1:end]))
    except tomllib.TOMLDecodeError as error:
        raise SourceError(path, 2, f"the header is not TOML: {error}") from None
    for name, kind in _FIELDS.items():
        if type(found.get(name)) is not kind:
            raise SourceError(path, 1, f"the header needs `{name}`, of type {kind.__name__}")
    if strange := sorted(set(found) - set(_FIELDS) - _OPTIONAL):
        raise SourceError(path, 1, f"the header does not know `{strange[0]}`")
    return found, end + 1


def read_cells(path: Path, source: str, after: int) -> Iterator[Cell]:
    lines = source.split("\n")
    starts = [i for i, line in enumerate(lines) if i >= after and line.startswith("# %%")]
    for start, stop in zip([after - 1, *starts], [*starts, len(lines)], strict=True):
        body, first = lines[start + 1 : stop], start + 2
        while body and not body[0].strip():
            body, first = body[1:], first + 1
        while body and not body[-1].strip():
            body = body[:-1]
        if not body:
            continue
        match = _CELL.fullmatch(lines[start]) if start >= after else None
        kind = (match and match["kind"]) or "code"
        lang = _LANG.search(match["rest"]) if match else None
        if kind == "markdown":
            bad = next((i for i, line in enumerate(body) if not line.startswith("#")), None)
            if bad is not None:
                raise SourceError(path, first + bad, "a markdown cell's lines start with #")
            text = "\n".join(line[1:].removeprefix(" ") for line in body)
            yield Cell("markdown", lang[1] if lang else "en", text, first)
        elif kind == "code":
            text = "\n".join(body)
            yield Cell("code", "en", text, first, _graded(path, text, first))
        else:
            raise SourceError(path, start + 1, f"cells are markdown or code, not {kind!r}")


# Markers


def regions(text: str) -> list[tuple[int, int]]:
    """Give the marked regions of a code cell as (BEGIN, END) line indices, both from 0.

    Raises
    ------
    ValueError
        With (line index, message), where the markers are misspelt, nested or unbalanced.
    """
    found: list[tuple[int, int]] = []
    opened: int | None = None
    for index, line in enumerate(text.split("\n")):
        mark = line.strip()
        # nbgrader reads any line with these words as a marker, so a misspelt one is an error
        if "BEGIN SOLUTION" not in mark and "END SOLUTION" not in mark:
            continue
        if mark not in (BEGIN, END):
            raise ValueError(index, f"a marker stands alone on its line, as `{BEGIN}` or `{END}`")
        if mark == BEGIN:
            if opened is not None:
                raise ValueError(index, f"{BEGIN} inside another one")
            opened = index
        elif opened is None:
            raise ValueError(index, f"{END} without {BEGIN} before it")
        else:
            found.append((opened, index))
            opened = None
    if opened is not None:
        raise ValueError(opened, f"{BEGIN} without {END} in the same cell")
    return found


def _graded(path: Path, text: str, first: int) -> tuple[str, ...]:
    """Name what a code cell's markers stand in, and hold it to the rules for markers."""
    try:
        marked = regions(text)
    except ValueError as error:
        index, message = error.args
        raise SourceError(path, first + index, message) from None
    if not marked:
        return ()
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        line = first + (error.lineno or 1) - 1
        raise SourceError(path, line, f"this cell is not whole: {error.msg}") from None
    names: list[str] = []
    for begin, end in marked:
        owner = next((node for node in tree.body if _holds(node, begin + 1, end + 1)), None)
        if not isinstance(owner, ast.FunctionDef | ast.ClassDef):
            message = "a marked region holds whole statements of one function's body"
            raise SourceError(path, first + begin, message)
        if owner.name not in names:
            names.append(owner.name)
    if len(names) > 1:
        raise SourceError(
            path, first, f"this cell grades {' and '.join(names)}: give each its own `# %%` cell"
        )
    return tuple(names)


def _holds(node: ast.stmt, begin: int, end: int) -> bool:
    """Whether the lines between two markers are statements of a function in `node`."""
    for each in ast.walk(node):
        if isinstance(each, ast.FunctionDef):
            inside = [one for one in each.body if begin < one.lineno < end]
            if inside:
                return all((one.end_lineno or 0) < end for one in inside)
    return False
