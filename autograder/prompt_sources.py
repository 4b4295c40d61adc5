"""Reads a student's own file of an exercise, for a prompt: its code, and what it promises.

Nothing read here is run. The module knows nothing of reports or weights.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from autograder.prompt_file import PromptError

MAX_SOURCE = 2_000_000  # bytes of a student's file

Documented = ast.FunctionDef | ast.ClassDef


def own_files(exercise: str | None, folder: Path | None, code: str | None) -> dict[str, str]:
    """Give what a student's file of `exercise` says: its code, its objective, its shapes.

    A folder holds ``<exercise>.py``, or a notebook with nbgrader's cells. Nothing there, or
    nothing readable: no values.
    """
    if code is None and exercise and exercise.isidentifier():
        code = _own_code(exercise, folder or Path.cwd())
    if code is None:
        return {}
    found = {"my_code": code}
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    graded = _graded_names(exercise, folder or Path.cwd())
    told = [each for each in tree.body if isinstance(each, Documented)]
    kept = [each for each in told if not graded or each.name in graded]
    documented = [(name, ast.get_docstring(each)) for name, each in _documented(kept)]
    said = [(name, text) for name, text in documented if text]
    if said:
        found["objective"] = " ".join(f"{name}: {text.splitlines()[0]}" for name, text in said)
        found["shapes"] = "\n\n".join(f"{name}\n{_shapes(text)}" for name, text in said)
    return found


def _documented(nodes: Sequence[ast.stmt], owner: str = "") -> Iterator[tuple[str, Documented]]:
    """Give functions, classes and methods, each with its full name."""
    for each in nodes:
        if isinstance(each, Documented):
            yield owner + each.name, each
        if isinstance(each, ast.ClassDef):
            yield from _documented(each.body, f"{each.name}.")


def _graded_names(exercise: str | None, folder: Path) -> list[str]:
    """Give the names that are graded, where the student's folder tells them."""
    for place in (folder / "checks.json", folder / "exercises" / "checks.json"):
        if exercise and place.is_file():
            try:
                names = json_of(place, 20 * MAX_SOURCE)["exercises"][exercise]["about"]["names"]
                return [str(each) for each in names]
            except (KeyError, TypeError, PromptError):
                return []
    return []


def _shapes(docstring: str) -> str:
    """Give a docstring's sections on what goes in and out, without its examples."""
    return docstring.split("\nExamples\n", 1)[0].partition("\n")[2].strip()


def _own_code(exercise: str, folder: Path) -> str | None:
    for place in (folder, folder / "exercises"):
        path = place / f"{exercise}.py"
        if path.is_file():
            return _without_lesson(text_of(path, MAX_SOURCE))
        for notebook in sorted(place.glob("attention*.ipynb")):
            if found := _cells(json_of(notebook, 20 * MAX_SOURCE), exercise):
                return found
    return None


def _without_lesson(source: str) -> str:
    """Drop the markdown cells of a file in percent format."""
    cells = re.split(r"^(?=# %%)", source, flags=re.MULTILINE)
    kept = [each for each in cells if not each.startswith("# %% [markdown]")]
    return re.sub(r"\n{4,}", "\n\n\n", "".join(kept)).strip()


def _cells(notebook: Any, exercise: str) -> str:
    """Give the solution cells that stand before the grade cell of `exercise`."""
    kept: list[str] = []
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    for cell in cells if isinstance(cells, list) else []:
        metadata = cell.get("metadata") if isinstance(cell, dict) else None
        mark = metadata.get("nbgrader") if isinstance(metadata, dict) else None
        if not isinstance(mark, dict):
            continue
        grade_id = str(mark.get("grade_id", ""))
        if grade_id == f"grade_{exercise}":
            return "\n\n".join(kept)
        if grade_id.startswith("grade_"):
            kept = []
        elif mark.get("solution"):
            source = cell.get("source", "")
            kept.append("".join(map(str, source)) if isinstance(source, list) else str(source))
    return ""


def text_of(path: Path, limit: int) -> str:
    """Read a text file of at most `limit` bytes, or raise `PromptError` naming it."""
    try:
        if path.stat().st_size > limit:
            raise PromptError(f"{path} is larger than {limit // 10**6} MB.")
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise PromptError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise PromptError(f"{path} is not a text file in UTF-8.") from None


def json_of(path: Path, limit: int) -> Any:
    """Read a JSON file of at most `limit` bytes, or raise `PromptError` naming it."""
    try:
        return json.loads(text_of(path, limit))
    except (ValueError, RecursionError):
        raise PromptError(f"{path} is not JSON.") from None
