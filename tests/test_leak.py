"""The leak check: every statement of every solution is found again, whatever it is called."""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.exercise import regions
from autograder.leak import MORE_THAN, leaks, solution_statements

ROOT = Path(__file__).resolve().parent.parent
SOLUTIONS = sorted((ROOT / "solutions").glob("*.py"))


@pytest.fixture(scope="module")
def statements() -> set[str]:
    return solution_statements(ROOT)


class Renamed(ast.NodeTransformer):
    """Gives every variable another name, as somebody who hides a copy would."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return node if hasattr(builtins, node.id) else ast.Name(f"other_{node.id}", node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(f"other_{node.arg}")


def _kept_lines(path: Path) -> Iterator[ast.stmt]:
    """Give the statements between the markers that stand on one line."""
    source = path.read_text("utf-8")
    marked = regions(source)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign | ast.Return) and node.lineno == node.end_lineno:
            large = sum(not isinstance(e, ast.expr_context) for e in ast.walk(node)) > MORE_THAN
            if large and any(begin < node.lineno - 1 < end for begin, end in marked):
                yield node


def _small_kit(folder: Path, body: str, lesson: str = "") -> Path:
    (folder / "solutions").mkdir()
    text = f"{lesson}\ndef f(x, axis):\n    ### BEGIN SOLUTION\n    {body}\n    ### END SOLUTION\n"
    (folder / "solutions" / "f.py").write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_most_statements_of_a_solution_are_found_under_other_names(
    path: Path, statements: set[str]
) -> None:
    lines = [ast.unparse(Renamed().visit(node)) for node in _kept_lines(path)]
    missed = [line for line in lines if not leaks(f"Try this:\n\n- `{line}`\n", statements)]
    # what is not found stands in a lesson too, or reads an argument
    openly = "\n".join(each.read_text("utf-8") for each in SOLUTIONS)
    for line in missed:
        original = line.replace("other_", "")
        assert openly.count(original) > 1 or "np.asarray" in original, line


WRITTEN = {
    "fence": "```python\n{}\n```",
    "fence in a list": "1. first\n\n   ```\n   {}\n   ```",
    "inline": "Write `{}` here.",
    "line": "{}",
    "list item": "- {}",
    "quotation": "> {}",
    "prose": "Then {}, and it works.",
    "prose in Chinese": "然后写 {}，就行了。",
    "doctest": ">>> {}",
    "table": "| code | {} |",
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN.keys())
def test_a_leak_is_found_however_it_is_written(written: str, statements: set[str]) -> None:
    line = "mine = p / p.sum(axis=q, keepdims=True)"
    text = "# A text\n\nSome words before.\n\n" + written.format(line) + "\n\nAnd some after.\n"
    assert leaks(text, statements) != []


@pytest.mark.parametrize(
    "text",
    [
        "`b /  b.sum( keepdims = True,axis = k )`",
        "`w: float = b / b.sum(axis=k, keepdims=True)`",
        "`print(b / b.sum(axis=k, keepdims=True))`",
        "`权重 = 幂 / 幂.sum(axis=轴, keepdims=True)`",
        "`s = np.where(open | nobody, raw, -np.inf)`",
        "```\nw = b / b.sum(\n    axis=k,\n    keepdims=True,\n)\nand so on\n```",
    ],
    ids=["spaced", "annotated", "inside a call", "Chinese names", "a part", "over lines"],
)
def test_a_disguise_does_not_hide_a_leak(text: str, statements: set[str]) -> None:
    assert leaks(text, statements) != []


def test_python_and_notebooks_are_read_whole(statements: set[str]) -> None:
    code = "import numpy as np\n\n\ndef mine(u):\n    return u / u.sum(axis=k, keepdims=True)\n"
    cell = {"cell_type": "code", "source": code.splitlines(keepends=True)}
    assert [leak.line for leak in leaks(code, statements)] == [5]
    assert leaks(json.dumps({"cells": [cell]}), statements) != []


@pytest.mark.parametrize(
    "text",
    [
        "Attention(Q, K, V) = softmax(Q Kᵀ / √d_k) V",
        "`output = weights @ V`",
        "`m = x.max(axis=____, keepdims=____)` · `e = np.exp(____)` · `return e / ____`",
        "Row i of the weights says how to mix what? See [softmax](softmax.md), step 2.",
        "| (n_q, d_k) | one row = one query |",
        "",
    ],
    ids=["formula", "six nodes", "holes", "prose", "table", "empty"],
)
def test_open_knowledge_is_no_leak(text: str, statements: set[str]) -> None:
    assert leaks(text, statements) == []


@pytest.mark.parametrize("path", sorted((ROOT / "exercises").glob("*.py")), ids=lambda p: p.stem)
def test_what_students_get_is_no_leak(path: Path, statements: set[str]) -> None:
    assert leaks(path.read_text("utf-8"), statements) == []


def test_what_a_lesson_shows_does_not_count(tmp_path: Path) -> None:
    body = "return x - x.max(axis=axis, keepdims=True)"
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    hidden = _small_kit(tmp_path / "a", body)
    said = "return row - row.max(axis=axis, keepdims=True)"
    shown = _small_kit(tmp_path / "b", body, f"# Here `{said}` helps.")
    assert leaks(f"`{body}`", solution_statements(hidden)) != []
    assert leaks(f"`{body}`", solution_statements(shown)) == []


def test_other_code_is_no_leak(tmp_path: Path) -> None:
    kept = solution_statements(_small_kit(tmp_path, "return x - x.max(axis=axis, keepdims=True)"))
    for other in ("x - x.max(axis=k)", "x - x.min(axis=k, keepdims=True)", "f(g(x) for x in y)"):
        assert leaks(f"`{other}`", kept) == []
