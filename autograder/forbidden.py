"""What an exercise is to be solved without: read from its header, held against its own solution.

A module or a function is named with its dots, as an import would name it: ``torch``,
``scipy.special.softmax``, ``numpy.linalg``. How its use is noticed, and what becomes of a score,
is not known here.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.percent import SourceError

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*")
MOST = 40  # names in one header, and signs in one name: what crosses to a worker stays small
LONGEST = 80


@dataclass(frozen=True)
class Forbidden:
    """What one exercise is to be solved without.

    Attributes
    ----------
    names : tuple of str
        Modules and functions, dotted.
    cost : float
        Points that their use costs; 0 where it is only told, infinity for all points.
    """

    names: tuple[str, ...] = ()
    cost: float = 0.0


def read_forbidden(path: Path, source: str, header: Mapping[str, Any]) -> Forbidden:
    """Read ``forbidden`` and ``forbidden_cost`` of a header.

    Raises
    ------
    SourceError
        Where they do not hold, or the solution itself uses what it forbids, with the line.
    """

    def refuse(key: str, message: str) -> SourceError:
        lines = source.split("\n")
        at = next((n for n, line in enumerate(lines, 1) if re.match(rf"#\s*{key}\b", line)), 1)
        return SourceError(path, at, message)

    names = header.get("forbidden", [])
    if not isinstance(names, list) or len(names) > MOST:
        raise refuse("forbidden", f"`forbidden` is a list of at most {MOST} names")
    for place, name in enumerate(names):
        if not isinstance(name, str) or len(name) > LONGEST or not NAME.fullmatch(name):
            raise refuse("forbidden", f"`forbidden` holds dotted names as imports do, not {name!r}")
        wider = next((other for other in names[:place] if within(name, other)), None)
        wider = wider or next(
            (o for o in names[place + 1 :] if o != name and within(name, o)), None
        )
        if wider is not None:
            raise refuse("forbidden", f"`{name}` is in `forbidden` already, as `{wider}`")
    cost = header.get("forbidden_cost", 0)
    if cost == "all":
        cost = math.inf
    elif isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 <= cost < math.inf:
        raise refuse("forbidden_cost", '`forbidden_cost` is a number of points or "all"')
    if cost and not names:
        raise refuse("forbidden_cost", "`forbidden_cost` needs a list `forbidden`")
    for line, used in _uses(source):
        clash = next((name for name in names if within(used, name)), None)
        if clash is not None:
            raise SourceError(path, line, f"the solution itself uses `{clash}`, which it forbids")
    return Forbidden(tuple(names), float(cost))


def within(name: str, wider: str) -> bool:
    """Whether a dotted name is another one, or lies in it."""
    return name == wider or name.startswith(f"{wider}.")


def _uses(source: str) -> Iterator[tuple[int, str]]:
    """Give what a solution's code imports, and what it takes out of that, each with its line."""
    known: dict[str, str] = {}
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                known[each.asname or each.name.partition(".")[0]] = (
                    each.name if each.asname else each.name.partition(".")[0]
                )
                yield node.lineno, each.name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for each in node.names:
                known[each.asname or each.name] = f"{node.module}.{each.name}"
                yield node.lineno, f"{node.module}.{each.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            named = ast.unparse(node)
            first, _, rest = named.partition(".")
            if first in known and NAME.fullmatch(named):
                yield node.lineno, f"{known[first]}.{rest}"
