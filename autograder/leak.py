"""Finds statements of the solutions in any text, also under other variable names.

What counts is a statement between solution markers, or a part of one, with more than six nodes
of syntax, that is not said openly anyway: in a lesson, or in the code that everybody gets. Texts
are prompts, renderings, or whatever a release ships; the module knows nothing of their use.
"""

from __future__ import annotations

import ast
import json
import re
import textwrap
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from autograder.exercise import regions
from autograder.fingerprint import candidates, fingerprint

MORE_THAN = 6  # nodes: `output = weights @ V` has six and is open knowledge

Simple = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return | ast.Expr


class Leak(NamedTuple):
    """One place of a text that holds a statement of a solution."""

    line: int
    code: str


def solution_statements(kit_root: Path) -> set[str]:
    """Give the fingerprints of all that `kit_root`'s solutions keep between their markers.

    Parameters
    ----------
    kit_root : Path
        The folder that holds ``solutions/``.

    Returns
    -------
    set of str
        Equal for two pieces of code that differ in names, spacing, annotations or the order of
        keyword arguments only. Without what lessons and stubs show.
    """
    hidden: set[str] = set()
    shown: set[str] = set()
    for path in sorted((kit_root / "solutions").glob("*.py")):
        inside, outside = _split(path.read_text("utf-8"))
        for statement in inside:
            hidden |= _marks(statement)
        for tree in outside:
            shown |= _all_marks(tree)
    return hidden - shown


def leaks(text: str, statements: set[str]) -> list[Leak]:
    """Find what of `statements` stands in `text`: in code fences, inline code, lines, prose.

    A piece with a hole (``____``) is a hint's, and no leak.

    Parameters
    ----------
    text : str
        Markdown, Python, a notebook, or plain text.
    statements : set of str
        From `solution_statements`.
    """
    sought = frozenset(statements)
    with _quietly():
        found = {
            Leak(first + node.lineno - 1, ast.unparse(node))
            for first, tree in _trees(text)
            for node in candidates(tree, sought)
            if isinstance(node, ast.stmt | ast.expr)
            and _own_marks(node) & sought
            and not _has_hole(node)
        }
    whole = [
        each
        for each in found
        if not any(o != each and o.line == each.line and each.code in o.code for o in found)
    ]
    return sorted(whole)


# Fingerprints


def fingerprints(code: str, more_than: int) -> set[str]:
    """Give the fingerprints of all simple statements in a piece of Python, above a size in nodes.

    Loops, branches and definitions count by the simple statements in them.
    """
    with _quietly():
        tree = _read(code)
    return {
        fingerprint(node)
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, Simple) and not _is_text(node) and _size(node) > more_than
    }


def _size(node: ast.AST) -> int:
    return sum(not isinstance(each, ast.expr_context) for each in ast.walk(node))


def _own_marks(node: ast.AST) -> set[str]:
    """Give the fingerprint of one node, where it is large enough to count.

    Without its names ``[f(each) for each in some]`` stands anywhere: such loops count from twice
    the size.
    """
    parts = list(ast.walk(node))
    telling = any(isinstance(each, ast.Attribute | ast.BinOp) for each in parts) or not any(
        isinstance(each, ast.comprehension) for each in parts
    )
    if _size(node) <= (MORE_THAN if telling else 2 * MORE_THAN):
        return set()
    return {fingerprint(node)}


def _marks(statement: ast.stmt) -> set[str]:
    """Give the fingerprints of a statement and, where it is a simple one, of its parts."""
    if _size(statement) <= MORE_THAN or _is_text(statement) or _reads_argument(statement):
        return set()
    return _all_marks(statement) if isinstance(statement, Simple) else _own_marks(statement)


def _all_marks(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr):
            found |= _own_marks(node)
    return found


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _has_text(node: ast.AST) -> TypeGuard[ast.Module | ast.ClassDef | ast.FunctionDef]:
    return isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)


def _reads_argument(node: ast.stmt) -> bool:
    """Whether a statement only reads its argument as an array, which is no step of a solution."""
    value = node.value if isinstance(node, ast.Assign) else None
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return False
    return value.func.attr == "asarray" and all(isinstance(e, ast.Name) for e in value.args)


def _has_hole(node: ast.AST) -> bool:
    return any(
        isinstance(each, ast.Name) and len(each.id) > 1 and not each.id.strip("_")
        for each in ast.walk(node)
    )


# Solutions: what stands between the markers, and what everybody sees


def _split(source: str) -> tuple[list[ast.stmt], list[ast.AST]]:
    tree = ast.parse(source)
    marked = [(begin + 1, end + 1) for begin, end in regions(source)]  # line numbers from 1
    inside = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
        and any(begin < node.lineno and (node.end_lineno or 0) < end for begin, end in marked)
    ]
    hidden = set(map(id, inside))
    outside: list[ast.AST] = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
        and id(node) not in hidden
        and not any(id(each) in hidden for each in ast.walk(node))
    ]
    lesson = "\n".join(
        line[1:].removeprefix(" ") for line in source.split("\n") if line.startswith("#")
    )
    docstrings = (ast.get_docstring(each) or "" for each in ast.walk(tree) if _has_text(each))
    with _quietly():
        for text in (lesson, *docstrings):
            outside += [each for _, each in _trees(text)]
    return inside, outside


# Texts: every piece that could be read as code

_FENCE = re.compile(r"^[ >]*(```+|~~~+)[^\n]*\n(.*?)^[ >]*\1", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(`+)(.+?)\1", re.DOTALL)
_ORNAMENT = re.compile(r"^(?:[\s>|*+-]|\d+[.)]\s|>>> |\.\.\. |In \[\d*\]: )+")
_AROUND = " \t`*_|\"'“”‘’.,;:!?。，；：！？、（）"
_CODE_SIGNS = re.compile(r"[=(@\[/*+-]")
_WORD = re.compile(r"[\w\"'\])]")


def _trees(text: str) -> Iterator[tuple[int, ast.Module]]:
    """Give each readable piece as (line on which it starts, tree)."""
    if text.lstrip().startswith(("{", "[")) and (strings := _json_texts(text)):
        for each in strings:
            yield from ((1, tree) for _, tree in _trees(each))
        return
    if (whole := _read(text)) is not None:
        yield 1, whole
        return
    for match in _FENCE.finditer(text):
        yield from _block(_line_of(text, match.start(2)), match[2])
    for match in _INLINE.finditer(text):
        yield from _piece(_line_of(text, match.start(2)), match[2].replace("\n", " "))
    yield from _block(1, text)


def _block(first: int, text: str) -> Iterator[tuple[int, ast.Module]]:
    """Read a block whole, else line by line, with what a bracket carries to the next lines."""
    if (whole := _read(text)) is not None:
        yield first, whole
        return
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if not _CODE_SIGNS.search(line):
            continue
        bare = _ORNAMENT.sub("", line)
        cells = bare.split("|") if "|" in bare else []
        for each in dict.fromkeys((bare, *cells, *_runs(bare))):
            yield from _piece(first + index, each)
        if bare.count("(") + bare.count("[") > bare.count(")") + bare.count("]"):
            for stop in range(index + 2, min(index + 12, len(lines)) + 1):
                rest = (_ORNAMENT.sub("", each) for each in lines[index + 1 : stop])
                yield from _piece(first + index, " ".join([bare, *rest]))


def _piece(line: int, text: str) -> Iterator[tuple[int, ast.Module]]:
    for each in dict.fromkeys((text.strip(), text.strip(_AROUND))):
        if len(each) > MORE_THAN and (tree := _read(each)) is not None:
            yield line, tree


def _runs(line: str) -> Iterator[str]:
    """Cut a line of prose where two words follow each other as they never do in code."""
    for part in re.split(r"[^\x00-\x7f]+", line):
        run: list[str] = []
        depth = 0
        for word in part.split():
            if run and depth <= 0 and run[-1] not in ("return", "not", "lambda"):
                if run[-1].endswith((",", ".", ";", ":")):
                    yield " ".join(run)  # here code may end, or a tuple go on
                if _WORD.match(run[-1][-1]) and _WORD.match(word[0]):
                    yield " ".join(run)
                    run, depth = [], 0
            run.append(word)
            depth += sum(word.count(sign) for sign in "([") - sum(word.count(sign) for sign in ")]")
        yield " ".join(run)


@contextmanager
def _quietly() -> Iterator[None]:
    """Read what may look like code to Python, such as prose with an odd escape, without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _read(text: str) -> ast.Module | None:
    try:
        return ast.parse(textwrap.dedent(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _json_texts(text: str) -> list[str]:
    try:
        top = json.loads(text)
    except (ValueError, RecursionError):
        return []

    def texts(item: Any) -> Iterable[str]:
        if isinstance(item, str):
            yield item
        elif isinstance(item, list) and item and all(isinstance(each, str) for each in item):
            yield "".join(item)
            yield from item
        elif isinstance(item, list | dict):
            for each in item.values() if isinstance(item, dict) else item:
                yield from texts(each)

    return list(texts(top))


def _line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
