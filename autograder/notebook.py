"""Turns the exercises into one notebook, with nbgrader's cell metadata: data in, text out.

The format is written directly (JSON as nbformat writes it), so that the result is the same to
the byte on every machine and needs no package to be made. The module knows nothing of graders:
points come from its caller.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from typing import Any

from autograder.exercise import Exercise, Kit, SourceError
from autograder.messages import Lang, ui
from autograder.stub import cleared, lesson

FIRST = "from autograder import grade, check, hint, picture, prompt, quiz"
DEMONSTRATION = 'if __name__ == "__main__":'
FIRST_ID = "imports"

Cell = dict[str, Any]


def notebook(
    kit: Kit, points: Mapping[str, float], lang: Lang = "en", *, solutions: bool = False
) -> str:
    """Give the text of the notebook.

    Parameters
    ----------
    kit : Kit
    points : mapping of str to float
        What each exercise is worth. Only its exercises are in the notebook.
    lang : {"en", "zh"}
        The language of the lesson cells.
    solutions : bool
        Keep the marked regions, as nbgrader's source folder wants it.
    """
    cells = [
        _code("start-01", FIRST, {"grade_id": FIRST_ID, "locked": True}),
        {"id": "start-02", **_markdown(ui("desk.notebook", lang))},
    ]
    imported: set[str] = set()
    for exercise in kit.exercises:
        if exercise.id in points:
            made = _exercise(kit, exercise, points[exercise.id], lang, solutions, imported)
            for position, cell in enumerate(made, 1):
                cells.append({**cell, "id": f"{exercise.id}-{position:02}"})
    whole = {
        "cells": cells,
        "metadata": {
            "kernelspec": {
                "display_name": "Python 3 (ipykernel)",
                "language": "python",
                "name": "python3",
            },
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _exercise(
    kit: Kit,
    exercise: Exercise,
    points: float,
    lang: Lang,
    solutions: bool,
    imported: set[str],
) -> Iterator[Cell]:
    for cell in lesson(exercise, lang):
        if cell.kind == "markdown":
            yield _markdown(cell.text)
            continue
        text = _without_imports(kit, exercise, cell.text, cell.line, imported)
        if not text:
            continue
        if cell.names:
            text = text if solutions else cleared(text)
            yield _code("", text, {"grade_id": cell.names[0], "solution": True})
        else:
            made = _code("", text)
            if text.startswith(DEMONSTRATION):
                # It fails while a function is still a stub: "Run All" must go on to the others.
                made["metadata"]["tags"] = ["raises-exception"]
            yield made
    yield _code(
        "",
        f'grade("{exercise.id}")',
        {"grade_id": f"grade_{exercise.id}", "grade": True, "locked": True, "points": points},
    )


def _without_imports(kit: Kit, exercise: Exercise, text: str, line: int, imported: set[str]) -> str:
    """Drop imports of other exercises, which the notebook defines, and repeated imports."""
    lines: list[str | None] = list(text.split("\n"))
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text
    # a demo under `if __name__ == "__main__":` imports inside: there, too, the name is at hand
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        statement = ast.unparse(node)
        modules = (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [each.name for each in node.names]
        )
        if any(module in kit.ids for module in modules):
            if not isinstance(node, ast.ImportFrom) or any(each.asname for each in node.names):
                raise SourceError(
                    exercise.path,
                    line + node.lineno - 1,
                    "import another exercise's names as `from heads import split_heads`",
                )
        elif node not in tree.body:
            continue
        elif statement not in imported:
            imported.add(statement)
            continue
        for index in range(node.lineno - 1, node.end_lineno or node.lineno):
            lines[index] = None
        opener = node.lineno >= 2 and (lines[node.lineno - 2] or "").endswith(":")
        if opener and (node.end_lineno or 0) < len(lines) and lines[node.end_lineno or 0] == "":
            lines[node.end_lineno or 0] = None
    return "\n".join(each for each in lines if each is not None).strip("\n")


def _markdown(text: str) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _code(cell_id: str, text: str, role: Mapping[str, Any] | None = None) -> Cell:
    """Make a code cell; `role` is what nbgrader should know of it, beside the defaults."""
    metadata: dict[str, Any] = {}
    if role is not None:
        defaults = {
            "cell_type": "code",
            "grade": False,
            "locked": False,
            "schema_version": 3,
            "solution": False,
            "task": False,
        }
        metadata["nbgrader"] = {**defaults, **role}
        metadata["deletable"] = False
        if metadata["nbgrader"]["locked"]:
            metadata["editable"] = False
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell_id,
        "metadata": metadata,
        "outputs": [],
        "source": _lines(text),
    }


def _lines(text: str) -> list[str]:
    """Give the lines with their ends, as notebooks store them."""
    return text.splitlines(keepends=True)
