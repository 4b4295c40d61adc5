"""Says whether an object is still a stub of the submission's files, by where its code stands.

Syntax tells stubs apart, and code may put something else in their place while it runs: then that
counts. This runs inside the worker: standard library only.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable, Iterator
from typing import Any

from autograder.syntax import COMPOUND, Unit, bindings


def is_stub(value: Any, name: str, units: Iterable[Unit]) -> bool:
    """Say whether what a name is bound to is one of its stubs in these units, or nothing at all."""
    codes = _codes(value)
    if isinstance(value, type) and not codes:
        return True
    spans = [
        (unit.place, *span)
        for unit in units
        if unit.tree is not None and unit.defines.get(name) == "stub"
        for span in _spans(unit.tree.body, name)
    ]
    return bool(codes) and all(
        any(
            code.co_filename == place and first <= code.co_firstlineno <= last
            for place, first, last in spans
        )
        for code in codes
    )


def _spans(body: Iterable[ast.stmt], name: str) -> Iterator[tuple[int, int]]:
    """Give the first and the last line of each stub of that name."""
    for line in body:
        if isinstance(line, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if line.name == name and dict(bindings([line]))[name] == "stub":
                first = min([line.lineno, *(each.lineno for each in line.decorator_list)])
                yield first, line.end_lineno or line.lineno
        elif isinstance(line, COMPOUND):
            parts = [getattr(line, part, []) for part in ("body", "orelse", "finalbody")]
            parts += [each.body for each in getattr(line, "cases", [])]
            parts += [each.body for each in getattr(line, "handlers", [])]
            for inner in parts:
                yield from _spans(inner, name)


def _codes(value: Any) -> list[types.CodeType]:
    """Give the code of a function, or of all methods of a class."""
    if isinstance(value, type):
        kinds = value.__mro__[:-1]
        return [code for kind in kinds for each in vars(kind).values() for code in _own(each)]
    return _own(value)


def _own(value: Any) -> list[types.CodeType]:
    while isinstance(inner := getattr(value, "__wrapped__", None), types.FunctionType):
        value = inner
    return [value.__code__] if isinstance(value, types.FunctionType) else []
