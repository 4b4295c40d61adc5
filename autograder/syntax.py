"""A submission's files as syntax: what each defines, and whether it is still a stub.

Files become units of code (`source`), units are parsed, and nothing runs. Running stands in
`program`. This runs inside the worker: standard library only.
"""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder import source

NAMED = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*=[^=]", re.MULTILINE)
RELATIVE = re.compile(r"from[\s\\]*\.")  # to visit a whole tree takes longer than to parse it
# An import through folders, as an editor adds it: ``from exercises.softmax import softmax``
THROUGH = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+(?:\.\w+)+)", re.MULTILINE)
COMPOUND = (ast.If, ast.Try, ast.TryStar, ast.With, ast.For, ast.While, ast.Match)
# What a unit may bind a name to, the best first.
RANK = {"attempted": 0, "bound": 1, "module": 2, "broken": 3, "stub": 4}


@dataclass
class Unit:
    """One file or cell: its code as syntax, and what it binds at the top level."""

    place: str  # "softmax.py" or "attention.ipynb, cell 7": unique within the submission
    first_line: int
    tree: ast.Module | None
    defines: dict[str, str] = field(default_factory=dict)  # name → a kind of `RANK`
    failure: BaseException | None = None


@dataclass
class File:
    """One submitted file."""

    name: str
    module: str  # dotted name by which it is imported; "" for a notebook
    units: list[Unit]
    notices: list[tuple[str, Mapping[str, Any]]]
    error: tuple[str, str, int | None] | None = None
    through: set[str] = field(default_factory=set)  # what it imports by a dotted name
    space: types.ModuleType | None = None
    done: int = 0
    early: set[int] = field(default_factory=set)  # cells that ran before their turn
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
            unit.defines = _kinds(unit.tree.body)
            found.through.update(THROUGH.findall(part.code))
            if RELATIVE.search(part.code):
                _Absolute(name, module).visit(unit.tree)
                ast.fix_missing_locations(unit.tree)
        if part.grade_id and unit.failure is not None:
            unit.defines.setdefault(part.grade_id, "broken")
        begun = {n for each in [*found.units, unit] for n, k in each.defines.items() if k == "stub"}
        if begun and unit.tree is not None:
            unit.defines |= dict.fromkeys(begun.intersection(_filled(unit.tree)), "attempted")
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
    """Turns a file's relative imports into absolute ones; above the top there is the top."""

    def __init__(self, name: str, module: str) -> None:
        package = name.lower().endswith(("/__init__.py", "\\__init__.py"))
        self._folders = module.split(".")[: None if package else -1]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        if not node.level:
            return node
        folders = self._folders[: max(0, len(self._folders) - node.level + 1)]
        dotted = ".".join([*folders, *([node.module] if node.module else [])])
        if not dotted:
            return ast.copy_location(ast.Import(names=node.names), node)
        node.level, node.module = 0, dotted
        return node


def bindings(body: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Give each name that lines bind, in their order, with what it is bound to."""
    for line in body:
        if isinstance(line, ast.FunctionDef | ast.AsyncFunctionDef):
            yield line.name, "stub" if is_stub(line) else "attempted"
        elif isinstance(line, ast.ClassDef):
            yield line.name, "stub" if _is_stub_class(line) else "attempted"
        elif isinstance(line, ast.Assign):
            yield from ((name, "attempted") for each in line.targets for name in _names(each))
        elif isinstance(line, ast.AnnAssign) and line.value is not None:
            yield from ((name, "attempted") for name in _names(line.target))
        elif isinstance(line, ast.Import | ast.ImportFrom):
            kind = "bound" if isinstance(line, ast.ImportFrom) else "module"
            yield from ((alias.asname or alias.name, kind) for alias in line.names)
        elif isinstance(line, COMPOUND):
            yield from _one_of(line)


def _kinds(body: Iterable[ast.stmt]) -> dict[str, str]:
    """Give what each name is bound to in the end; an import takes nothing from what is defined.

    Below a function, one of the same name is imported where files were put together: it may well be
    that function. What is bound once the code has run is what counts, here as everywhere.
    """
    found: dict[str, str] = {}
    for name, kind in bindings(body):
        if kind not in ("bound", "module") or found.get(name) != "attempted":
            found[name] = kind
    return found


def _one_of(line: ast.stmt) -> Iterator[tuple[str, str]]:
    """Give what a compound statement binds: which of its branches runs, nobody knows yet."""
    best: dict[str, str] = {}
    parts = [getattr(line, part, []) for part in ("body", "orelse", "finalbody")]
    for body in [*parts, *(case.body for case in getattr(line, "cases", []))]:
        for name, kind in dict(bindings(body)).items():
            if kind in ("bound", "module") and _is_for_a_script(line):
                continue  # what a demonstration imports; it never runs here
            best[name] = min(best.get(name, kind), kind, key=RANK.__getitem__)
    for handler in getattr(line, "handlers", []):  # runs only where the rest did not
        best = dict(bindings(handler.body)) | best
    yield from best.items()


def _is_for_a_script(line: ast.stmt) -> bool:
    """Say whether it is a block below ``if __name__ == "__main__":``."""
    return isinstance(line, ast.If) and ast.unparse(line.test) == "__name__ == '__main__'"


def _names(target: ast.expr) -> Iterator[str]:
    """Give the names that an assignment to `target` binds."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Starred):
        yield from _names(target.value)
    elif isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            yield from _names(each)
    elif (
        isinstance(target, ast.Subscript)
        and isinstance(target.slice, ast.Constant)
        and ast.unparse(target.value) == "globals()"
    ):
        yield str(target.slice.value)


def _filled(tree: ast.Module) -> Iterator[str]:
    """Give the names whose objects get a part from outside, as in ``Attention.forward = f``."""
    for line in tree.body:
        if isinstance(line, ast.Assign):
            parts = [each.value for each in line.targets if isinstance(each, ast.Attribute)]
        elif isinstance(line, ast.Expr) and isinstance(line.value, ast.Call):
            call = line.value
            setting = isinstance(call.func, ast.Name) and call.func.id == "setattr"
            parts = call.args[:1] if setting else []
        elif isinstance(line, ast.FunctionDef):  # as in ``@added_to(Attention)``
            calls = [each for each in line.decorator_list if isinstance(each, ast.Call)]
            parts = [arg for call in calls for arg in call.args]
        else:
            continue
        yield from (each.id for each in parts if isinstance(each, ast.Name))


def is_stub(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Say whether a function's body is nothing but its docstring and a placeholder.

    An empty body under a decorator is none: the decorator may do the work.
    """
    return _waits(function) or (_nothing(function.body) and not function.decorator_list)


def _is_stub_class(line: ast.ClassDef) -> bool:
    """Say whether a class does nothing yet, by its own body or by what it is made from."""
    own = dict(bindings(line.body))
    methods = [m for m in line.body if isinstance(m, ast.FunctionDef | ast.AsyncFunctionDef)]
    if any(own[method.name] != "stub" for method in methods):
        return False
    if any(_waits(method) for method in methods):
        return True
    made_from = [base for base in line.bases if ast.unparse(base) != "object"]
    rest = [each for each in line.body if each not in methods]
    return not (made_from or line.keywords or line.decorator_list) and _nothing(rest)


def _waits(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Say whether a function holds the placeholder and nothing else."""
    return _nothing(function.body) and any(isinstance(line, ast.Raise) for line in function.body)


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
