"""Names of a `while` loop that only add up, and can neither end it nor be seen by what could.

``while i < n: total += x[i]`` comes back to no state in which it was: `total` grows. But nothing
asks for it. A *tally* is a local name of which every use in the loop is in its own counting, as in
``total += x[i]``, ``total = total + x[i]`` or ``rows.append(x[i])``, or in a ``return`` of which
nothing in the loop can catch what it raises. As its counting cannot fail by what has been counted
so far, the loop would go on in the same way whatever the tally holds, and its state is told
without it: by its form alone. Places of an array of floats, of a list or of a dict may be what
counts, as in ``out[i] += x[j]``.

That counting cannot fail holds for adding to and taking from whole numbers, for the same with
multiplying and dividing for floats, for arrays and numbers of NumPy's where it tells of no
overflow, and for adding to texts and lists, until they fill the memory. Powers,
remainders and division by a tally are out: they fail by its value. This runs inside the worker:
standard library and NumPy only.
"""

from __future__ import annotations

import ast
import sys
import types
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

APPEND, PLACE, GROW = "append", "place", "grow"
FULL: dict[Any, int] = {str: 2**20, list: 2**23}  # bytes: what is larger so soon fills the memory
MAX_PLACES = 1_000
OPTIMIZED = 1  # of a code's flags: its local names are its own
LINEAR = frozenset({ast.Add, ast.Sub})
LAST = 20  # values of a list that are looked at
LARGE = 1_000  # bytes: lists of what is larger fill the memory within seconds, and so end
SMOOTH = LINEAR | {ast.Mult, ast.Div}

# Kinds of operators, or APPEND; PLACE where a place in it counts, GROW where a text may.
Ways = frozenset[Any]


def find(loop: ast.While) -> dict[str, Ways]:
    """Give the names that only add up, by the syntax of a loop, with the ways in which they do."""
    uses = Counter(part.id for part in ast.walk(loop) if isinstance(part, ast.Name))
    own: Counter[str] = Counter()
    ways: dict[str, set[Any]] = {}
    caught = any(isinstance(part, ast.Try) for part in ast.walk(loop))
    for part in ast.walk(loop):
        # What a ``return`` raises by a tally, as by ``x[total]``, a handler in the loop may catch.
        if isinstance(part, ast.Return) and not caught:
            own.update(each.id for each in ast.walk(part) if isinstance(each, ast.Name))
        for name, count, way in _counting(part):
            own[name] += count
            ways.setdefault(name, set()).update(way)
    # What has filled the memory raises what a handler in the loop may catch.
    for way in ways.values():
        if way == {ast.Add} and not caught:
            way.add(GROW)
    return {
        name: frozenset(way)
        for name, way in ways.items()
        if own[name] == uses[name] and (APPEND not in way or (len(way) == 1 and not caught))
    }


def _counting(part: ast.AST) -> Iterator[tuple[str, int, set[Any]]]:
    """Give the name that a statement counts on, how often it is in it, and how it counts."""
    match part:
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
            if type(op) in SMOOTH and not _uses(value, name):
                yield name, 1, {type(op)}
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            way = _way(value, name)
            if way:
                yield name, 2, way
        case ast.AugAssign(target=ast.Subscript() as place, op=op, value=value):
            name = _owner(place)
            if name and type(op) in SMOOTH and not _uses(value, name):
                yield name, 1, {type(op), PLACE}
        case ast.Expr() if name := appended(part):
            yield name, 1, {APPEND}


def appended(part: ast.Expr) -> str:
    """Give the name to whose list a statement appends what does not use it; else ""."""
    match part.value:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[value], keywords=[]
        ) if not isinstance(value, ast.Starred) and not _uses(value, name):
            return name
    return ""


def _way(value: ast.expr, name: str) -> set[Any]:
    """Give the operators between a name and the top of a value that uses it once; else nothing."""
    found: set[Any] = set()
    while isinstance(value, ast.BinOp) and type(value.op) in SMOOTH:
        found.add(type(value.op))
        left, right = _uses(value.left, name), _uses(value.right, name)
        if left + right != 1 or (right and isinstance(value.op, ast.Div)):
            return set()
        value = value.left if left else value.right
    return found if isinstance(value, ast.Name) and value.id == name else set()


def _owner(place: ast.Subscript) -> str:
    """Give the name that a place is in, as `out` of ``out[i][j]``; "" where it tells which too."""
    owner: ast.expr = place
    while isinstance(owner, ast.Subscript):
        owner = owner.value
    return owner.id if isinstance(owner, ast.Name) and _uses(place, owner.id) == 1 else ""


def _uses(value: ast.expr, name: str) -> int:
    return sum(isinstance(each, ast.Name) and each.id == name for each in ast.walk(value))


def form(value: Any, ways: Ways) -> Any:
    """Give the form of a tally's value; None where its counting might fail by what it holds."""
    kind = type(value)
    if APPEND in ways:
        return (kind,) if kind is list and not grows_fast(value) else None
    if kind in FULL and PLACE not in ways:
        small = GROW in ways and sys.getsizeof(value) < FULL[kind]
        return (kind,) if small and not (kind is list and grows_fast(value)) else None
    ways -= {GROW}
    if PLACE in ways:
        return _form_of_places(value, ways) if ways - {PLACE} <= SMOOTH else None
    if kind is int:
        return (kind,) if ways <= LINEAR else None
    if kind is float:
        return (kind,)
    if kind in (np.float64, np.int64) or (kind is np.ndarray and value.dtype.kind in "iufc"):
        silent = set(np.geterr().values()) == {"ignore"}
        return (kind, value.dtype.str, value.shape) if silent else None
    return None


def _form_of_places(value: Any, ways: Ways) -> Any:
    """Give the form of what has places that count: an array of floats, or lists and dicts."""
    if type(value) is np.ndarray:
        return form(value, ways - {PLACE}) if value.dtype.kind == "f" else None
    kinds: list[Any] = []
    waiting = [value]
    while waiting:
        each = waiting.pop()
        kinds.append(type(each))
        if type(each) in (list, dict) and len(waiting) + len(kinds) + len(each) < MAX_PLACES:
            kinds.append(len(each))
            waiting += each.values() if type(each) is dict else each
        elif form(each, ways - {PLACE}) is None or type(each) is np.ndarray:
            return None
    return tuple(kinds)


def grows_fast(rows: list[Any]) -> bool:
    """Whether a list is filled with what is large, as far as its last values tell."""
    return any(_size(each) > LARGE for each in rows[-LAST:])


def _size(value: Any) -> int:
    """Give the bytes that a value holds, about: of an array, those of the one it is a view of."""
    total = 0
    waiting = [value]
    while waiting and total <= LARGE:
        each = waiting.pop()
        if type(each) is np.ndarray and each.base is not None:
            waiting.append(each.base)
        elif type(each) in (list, tuple, dict):
            waiting += each.values() if type(each) is dict else each
        total += sys.getsizeof(each)
    return total


def raises() -> bool:
    """Whether NumPy would raise, or call, for what overflows, by the rules that hold now."""
    return not set(np.geterr().values()) <= {"ignore", "warn"}


def is_told() -> bool:
    """Whether NumPy would tell somebody of what overflows, or of what it writes as text."""
    rules, shown = np.geterr(), np.get_printoptions()
    silent = set(rules.values()) <= {"ignore", "warn", "raise"}
    return not silent or any(shown.get(each) for each in ("formatter", "override_repr"))


def is_local(frame: types.FrameType, name: str) -> bool:
    """Whether a name is a function's own, which no other code reads."""
    code = frame.f_code
    return (
        bool(code.co_flags & OPTIMIZED)
        and name in code.co_varnames
        and name not in code.co_cellvars
    )


__all__ = ["appended", "find", "form", "grows_fast", "is_local", "is_told", "raises"]
