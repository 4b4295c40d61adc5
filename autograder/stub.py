"""Turns a solution into what a student starts from: text in, text out.

It keeps lesson, docstrings and demo code, and puts nbgrader's own placeholder where the marked
regions were. It knows nothing of notebooks and files.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.exercise import Cell, Exercise, regions

PLACEHOLDER = ("# YOUR CODE HERE", "raise NotImplementedError()")


def cleared(text: str) -> str:
    """Give a code cell with each marked region replaced by the placeholder, at its indent."""
    lines = text.split("\n")
    for begin, end in reversed(regions(text)):
        indent = lines[begin][: len(lines[begin]) - len(lines[begin].lstrip())]
        lines[begin : end + 1] = [indent + line for line in PLACEHOLDER]
    return "\n".join(lines)


def lesson(exercise: Exercise, lang: str = "en") -> Iterator[Cell]:
    """Give the cells that a reader of `lang` gets: one of each pair of markdown twins."""
    cells = exercise.cells
    for index, cell in enumerate(cells):
        following = cells[index + 1] if index + 1 < len(cells) else None
        if cell.kind == "code":
            yield cell
        elif cell.lang == "en":
            twin = following if following and following.lang == lang != "en" else None
            yield twin or cell


def stub(exercise: Exercise, lang: str = "en") -> str:
    """Give the text of the student's ``.py`` file.

    Parameters
    ----------
    exercise : Exercise
    lang : {"en", "zh"}
        The language of the lesson cells; code and docstrings stay English.
    """
    parts: list[str] = []
    before_defines = False
    for cell in lesson(exercise, lang):
        defines = cell.kind == "code" and _defines(cell.text)
        if parts:
            parts.append("\n\n" if defines or before_defines else "\n")
        before_defines = defines
        if cell.kind == "markdown":
            commented = (f"# {line}".rstrip() for line in cell.text.split("\n"))
            parts.append("# %% [markdown]\n" + "\n".join(commented) + "\n")
        else:
            parts.append("# %%\n" + cleared(cell.text) + "\n")
    return "".join(parts)


def _defines(text: str) -> bool:
    try:
        body = ast.parse(text).body
    except SyntaxError:  # a cell that is not whole by itself; the file as a whole is
        return False
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in body)


def solved(text: str, names: tuple[str, ...]) -> list[str]:
    """Name the graded functions and classes in a stub that no longer hold the placeholder.

    A text that is not Python holds no stub at all, so that every name counts.
    """
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return list(names)
    found = {
        node.name: ast.get_source_segment(text, node) or ""
        for node in body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    return [name for name in names if name in found and PLACEHOLDER[1] not in found[name]]
