"""Finds the kit and reads its exercises: header, lesson cells, graded names, solution markers.

A solution file is the one source of stub, notebook and reference. This module reads and checks
it, line by line, and can load it as the reference; it knows nothing of graders, of what is built
from it, or of students.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"

_CELL = re.compile(r"# %%(?: \[(?P<kind>\w+)\])?(?P<rest>.*)")
_LANG = re.compile(r'\blang="(\w+)"')


class KitNotFound(Exception):
    """No kit with solutions was found; the message is a sentence with the way out."""


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


@dataclass(frozen=True)
class Exercise:
    """One exercise, as its solution file tells it.

    Attributes
    ----------
    id : str
        The file's stem: ``softmax``.
    title, title_zh : str
    minutes : int
        What a learner needs for it.
    difficulty : int
        1 to 5.
    names : tuple of str
        The graded functions and classes, in order.
    path : Path
    source : str
        The file's text.
    cells : tuple of Cell
    """

    id: str
    title: str
    title_zh: str
    minutes: int
    difficulty: int
    names: tuple[str, ...]
    path: Path
    source: str
    cells: tuple[Cell, ...]

    def title_in(self, lang: str) -> str:
        """Give the title in `lang`, English where there is no other."""
        return self.title_zh if lang == "zh" and self.title_zh else self.title


@dataclass(frozen=True)
class Kit:
    """A checkout of the kit: its folder and its exercises in order."""

    root: Path
    exercises: tuple[Exercise, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The exercises' ids in order."""
        return tuple(each.id for each in self.exercises)

    @property
    def bundle(self) -> Path:
        """The folder of what students get, made by the build."""
        return self.root / "exercises"

    @property
    def graders(self) -> Path:
        """The folder of the hidden graders."""
        return self.root / "autograder" / "graders"

    @property
    def mistakes(self) -> Path:
        """The folder of the known mistakes."""
        return self.root / "autograder" / "mistakes"

    def exercise(self, exercise_id: str) -> Exercise:
        """Give one exercise.

        Raises
        ------
        KeyError
            With a sentence that lists the ids there are.
        """
        for each in self.exercises:
            if each.id == exercise_id:
                return each
        raise KeyError(f"there is no exercise {exercise_id!r}; there are: {', '.join(self.ids)}")


# Finding the kit


def find_kit(explicit: Path | None = None) -> Kit:
    """Find and read the kit: `explicit`, else ``ATTN_KIT``, else upwards, else the source tree.

    Raises
    ------
    KitNotFound
        Where a named folder is no kit, or none is found.
    SourceError
        Where the kit's files cannot be used.
    """
    named = explicit or (Path(os.environ["ATTN_KIT"]) if os.environ.get("ATTN_KIT") else None)
    if named is not None:
        if not _is_kit(named):
            how = "--kit" if explicit else "ATTN_KIT"
            raise KitNotFound(
                f"{named} is not a kit (given by {how}): a kit's folder holds solutions/ and a "
                "pyproject.toml with [tool.autograder] exercises."
            )
        return read_kit(named)
    here = Path.cwd()
    for folder in (here, *here.parents, Path(__file__).resolve().parent.parent):
        if _is_kit(folder):
            return read_kit(folder)
    raise KitNotFound(
        "The kit with solutions and graders was not found: give its folder by --kit DIR or in "
        "the variable ATTN_KIT, or run the command inside it."
    )


def read_kit(root: Path) -> Kit:
    """Read the kit that stands in `root`.

    Raises
    ------
    KitNotFound
        Where the order of exercises is not there, or an exercise in it has no solution file.
    SourceError
        Where a solution file cannot be used.
    """
    order = _order(root)
    if order is None:
        raise KitNotFound(f"{root} is not a kit: its pyproject.toml lists no exercises.")
    for exercise_id in order:
        if not (root / "solutions" / f"{exercise_id}.py").is_file():
            raise KitNotFound(
                f"{root / 'pyproject.toml'} lists the exercise {exercise_id}, but "
                f"solutions/{exercise_id}.py is not there."
            )
    return Kit(root, tuple(read_exercise(root / "solutions" / f"{each}.py") for each in order))


def _order(root: Path) -> list[str] | None:
    try:
        settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None
    order = settings.get("tool", {}).get("autograder", {}).get("exercises")
    return order if isinstance(order, list) and all(isinstance(e, str) for e in order) else None


def _is_kit(root: Path) -> bool:
    return (root / "solutions").is_dir() and _order(root) is not None


# Reading one solution file


def read_exercise(path: Path) -> Exercise:
    """Read one solution file.

    Raises
    ------
    SourceError
        Where header, cells, markers or Python do not hold, with the line.
    """
    return parse_exercise(path, path.read_text("utf-8"))


def parse_exercise(path: Path, source: str) -> Exercise:
    """Read the text of a solution file; `path` gives the id and names the file in errors."""
    source = source.replace("\r\n", "\n")
    try:
        ast.parse(source)
    except SyntaxError as error:
        raise SourceError(path, error.lineno or 1, f"not valid Python: {error.msg}") from None
    header, after = _header(path, source)
    cells = tuple(_cells(path, source, after))
    names = tuple(name for cell in cells for name in cell.names)
    if not names:
        raise SourceError(path, 1, f"nothing is graded: no function holds {BEGIN}")
    return Exercise(path.stem, **header, names=names, path=path, source=source, cells=cells)


_FIELDS: dict[str, type] = {"title": str, "title_zh": str, "minutes": int, "difficulty": int}


def _header(path: Path, source: str) -> tuple[dict[str, Any], int]:
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
    if strange := sorted(set(found) - set(_FIELDS)):
        raise SourceError(path, 1, f"the header does not know `{strange[0]}`")
    return found, end + 1


def _cells(path: Path, source: str, after: int) -> Iterator[Cell]:
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


# Solution markers


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


# Loading the solutions


@contextlib.contextmanager
def _borrowed(names: tuple[str, ...]) -> Iterator[None]:
    """Let modules be called `names` for a while, then put everything back as it was."""
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    try:
        yield
    finally:
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(before)


def reference(kit: Kit) -> dict[str, dict[str, Any]]:
    """Load every solution and give its namespace, by exercise.

    Later solutions import earlier ones by name; afterwards no module of these names is left in
    this process, so that nothing that runs here later can take an answer from it.
    """
    loaded: dict[str, dict[str, Any]] = {}
    with _borrowed(kit.ids):
        for exercise in kit.exercises:
            module = ModuleType(exercise.id)
            module.__file__ = str(exercise.path)
            sys.modules[exercise.id] = module
            exec(compile(exercise.source, str(exercise.path), "exec"), module.__dict__)
            loaded[exercise.id] = module.__dict__
    return loaded


def given_sources(kit: Kit) -> dict[str, str]:
    """Give each solution's code without lesson text and markers, by module name."""
    return {exercise.id: code_of(exercise) for exercise in kit.exercises}


def code_of(exercise: Exercise) -> str:
    """Give the runnable code of one solution: no header, no lesson text, no markers."""
    text = "\n\n\n".join(cell.text for cell in exercise.cells if cell.kind == "code")
    return "\n".join(line for line in text.split("\n") if line.strip() not in (BEGIN, END)) + "\n"
