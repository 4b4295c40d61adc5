"""Runs the statements of a file or cell, on past those that ask the system for what is not there.

At home a folder is listed, a picture is fetched, an answer is typed, and the functions below are
defined. Where student code runs for grading none of that is there, and a line that asks for it
says nothing about the functions: it is left out, which is told, and the next one runs. A line
that binds a graded name is never left out, and whatever else an error is ends its file as usual.
So it is with a well-known package that is not there: what an import of it binds stands for it, and
only a function that uses it fails.

This runs inside the worker: standard library only.
"""

from __future__ import annotations
import __future__

import ast
from collections.abc import Container
from itertools import islice
from types import CodeType, TracebackType
from typing import Any

from autograder.imports import PACKAGES, Missing
from autograder.syntax import Unit, bindings

NOT_THERE = (OSError, EOFError)  # files, folders, network, programs; somebody who types


def run(
    unit: Unit, space: dict[str, Any], graded: Container[str], left_out: list[tuple[str, int]]
) -> BaseException | None:
    """Run a unit in a namespace; give what stopped it.

    Parameters
    ----------
    unit : Unit
    space : dict
    graded : container of str
        The names whose statements are never left out.
    left_out : list of (str, int)
        Takes in the place and line of each statement that was.
    """
    todo, flags = unit.tree or ast.Module([], []), 0
    while True:
        code = None
        try:
            code = compile(todo, unit.place, "exec", flags, dont_inherit=True)
            flags = code.co_flags & __future__.annotations.compiler_flag
            exec(code, space)
            return None
        except (*NOT_THERE, ModuleNotFoundError) as error:
            package = _package(error)
            at = _statement(todo, code, error.__traceback__)
            if package == "" or at is None:
                return error
            if any(n in graded for n, _ in bindings([todo.body[at]])):
                return error
            left_out.append((unit.place, todo.body[at].lineno + unit.first_line - 1))
            rest = _stood_for(todo.body[at], package, space) if package else []
            todo = ast.Module([*rest, *todo.body[at + 1 :]], type_ignores=[])
        except BaseException as error:  # the student's code may raise anything, SystemExit too
            return error


def _package(error: BaseException) -> str | None:
    """Give which well-known package is not there, "" where it is another one; None for no module.

    A module of the student's own that is not there may be what she forgot to hand in.
    """
    if not isinstance(error, ModuleNotFoundError):
        return None
    first = _first(error.name or "")
    return first if first in PACKAGES else ""


def _stood_for(line: ast.stmt, package: str, space: dict[str, Any]) -> list[ast.stmt]:
    """Bind what an import of an absent package would bind; give what else the line imports."""
    if isinstance(line, ast.ImportFrom):
        space |= {a.asname or a.name: Missing(package) for a in line.names if a.name != "*"}
    elif isinstance(line, ast.Import):
        absent = [each for each in line.names if _first(each.name) in PACKAGES]
        for each in absent or line.names:  # else it is a module of hers that needs the package
            space[each.asname or _first(each.name)] = Missing(package)
        rest = [each for each in line.names if absent and each not in absent]
        return [ast.copy_location(ast.Import(rest), line)] if rest else []
    return []


def _first(dotted: str) -> str:
    return dotted.partition(".")[0]


def _statement(tree: ast.Module, code: CodeType | None, step: TracebackType | None) -> int | None:
    """Give which statement of a module was running; several may stand on one line."""
    while step is not None and step.tb_frame.f_code is not code:
        step = step.tb_next
    if step is None or code is None:
        return None
    line, _, column, _ = next(islice(code.co_positions(), step.tb_lasti // 2, None))
    for at, each in enumerate(tree.body):
        first, last = (each.lineno, each.col_offset), (each.end_lineno, each.end_col_offset)
        if line is not None and first <= (line, column or 0) < last:
            return at
    return None


__all__ = ["NOT_THERE", "run"]
