"""A submission's files as syntax: what each defines, and whether it is still a stub.

Files become units of code (`source`), units are parsed, and nothing runs. Running stands in
`program`. This runs inside the worker: standard library only.
"""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder import source

NAMED = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*=[^=]", re.MULTILINE)
RELATIVE = re.compile(r"from[\s\\]*\.")  # to visit a whole tree takes longer than to parse it
# What a unit may bind a name to, the best first.
RANK = {"attempted": 0, "bound": 2, "broken": 3, "stub": 4}


@dataclass
class Unit:
    """One file or cell: its code as syntax, and what it binds at the top level."""

    place: str  # "softmax.py" or "attention.ipynb, cell 7": unique within the submission
    first_line: int
    tree: ast.Module | None
    defines: dict[str, str] = field(default_factory=dict)  # name → attempted, bound, broken, stub
    failure: BaseException | None = None


@dataclass
class File:
    """One submitted file."""

    name: str
    module: str  # dotted name by which it is imported; "" for a notebook
    units: list[Unit]
    notices: list[tuple[str, Mapping[str, Any]]]
    error: tuple[str, str, int | None] | None = None
    space: types.ModuleType | None = None
    done: int = 0
    running: bool = False


def read(name: str, data: bytes) -> File:
    """Parse one file; whatever the bytes are, it gives a `File`, with the error where there is."""
    parsed = source.parse(name, data)
    cells = [re.fullmatch(r"cell \d+", unit.label) for unit in parsed.units]
    notebook = name.lower().endswith(".ipynb") or any(cells)
    module = "" if notebook else _module_name(name)
    found = File(name, module, [], list(parsed.notices), parsed.error)
    for part in parsed.units:
        unit = Unit(f"{name}, {part.label}" if notebook else name, part.first_line, None)
        try:
            unit.tree = part.tree or ast.parse(part.code)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            unit.failure = error
            names = [a or b for a, b in NAMED.findall(part.code)]
            unit.defines = dict.fromkeys(names, "broken")
            if not notebook:
                found.error = ("syntax", type(error).__name__, getattr(error, "lineno", None))
        else:
            unit.defines = dict(_bindings(unit.tree.body))
            if "." not in module and RELATIVE.search(part.code):
                _Absolute().visit(unit.tree)
                ast.fix_missing_locations(unit.tree)
        if part.grade_id and unit.failure is not None:
            unit.defines.setdefault(part.grade_id, "broken")
        found.units.append(unit)
    if notebook:  # cells of imports alone may stand anywhere: moved to the end, they still serve
        found.units.sort(key=lambda unit: not _only_imports(unit.tree))
    return found


def _only_imports(tree: ast.Module | None) -> bool:
    lines = tree.body if tree is not None else []
    return bool(lines) and all(isinstance(line, ast.Import | ast.ImportFrom) for line in lines)


def _module_name(name: str) -> str:
    dotted = re.sub(r"\.py$", "", name, flags=re.IGNORECASE).replace("/", ".").replace("\\", ".")
    return dotted.removesuffix(".__init__")


class _Absolute(ast.NodeTransformer):
    """Turns a top-level file's relative imports into absolute ones."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        if node.level != 1:
            return node
        if node.module is None:
            return ast.copy_location(ast.Import(names=node.names), node)
        node.level = 0
        return node


def _bindings(body: Iterable[ast.stmt]) -> Iterable[tuple[str, str]]:
    for line in body:
        if isinstance(line, ast.FunctionDef | ast.AsyncFunctionDef):
            yield line.name, "stub" if is_stub(line) else "attempted"
        elif isinstance(line, ast.ClassDef):
            methods = [m for m in line.body if isinstance(m, ast.FunctionDef)]
            empty = all(map(is_stub, methods)) if methods else _nothing(line.body)
            yield line.name, "stub" if empty else "attempted"
        elif isinstance(line, ast.Assign | ast.AnnAssign):
            for target in line.targets if isinstance(line, ast.Assign) else [line.target]:
                if isinstance(target, ast.Name) and line.value is not None:
                    yield target.id, "attempted"
        elif isinstance(line, ast.Import | ast.ImportFrom):
            for alias in line.names:
                yield alias.asname or alias.name, "bound"
        elif isinstance(line, ast.If | ast.Try | ast.With | ast.For | ast.While):
            for part in ("body", "orelse", "finalbody"):
                yield from _bindings(getattr(line, part, []))


def is_stub(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Say whether a function's body is nothing but its docstring and a placeholder."""
    return _nothing(function.body)


def _nothing(body: Sequence[ast.stmt]) -> bool:
    return all(
        isinstance(line, ast.Pass)
        or (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
        or (isinstance(line, ast.Raise) and _names_not_implemented(line.exc))
        for line in body
    )


def _names_not_implemented(raised: ast.expr | None) -> bool:
    named = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(named, ast.Name) and named.id == "NotImplementedError"


def grades(unit: Unit, exercise: str) -> bool:
    """Say whether a cell is the grade cell of an exercise: ``grade("softmax")``."""
    return any(
        isinstance(line, ast.Expr)
        and isinstance(line.value, ast.Call)
        and isinstance(line.value.func, ast.Name)
        and line.value.func.id == "grade"
        and [each.value for each in line.value.args if isinstance(each, ast.Constant)] == [exercise]
        for line in (unit.tree.body if unit.tree is not None else ())
    )
