"""Names of a `while` loop that only move on, and have gone past all that they are compared with.

``while i != 5: i += 2`` comes back to no state in which it was: `i` grows. But once it is past 5
it stays past it, so every comparison of the two has been settled for good. An *overshot* name is
a local one of which every use in the loop moves it on by a constant, all in one direction; or
compares it with what stays what it is, as ``while i`` does with 0; or is in a ``return`` of which
nothing in the loop can catch what it raises. For a text or a list that grows, its length is what
is compared.

The loop goes on in the same way however far such a name has moved, so its state is told without
it: by its form alone. That moving on cannot fail holds for whole numbers and floats. This runs
inside the worker: standard library and NumPy only.
"""

from __future__ import annotations

import ast
import builtins
import operator
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograder import tallies

UP, DOWN = 1, -1
FAR = 2**53  # up to here whole numbers and floats are compared exactly
LONG = 16  # characters by which a text grows at most: more would fill the memory within seconds
NUMBERS = (int, float, np.float64, np.int64)
FAST = 1_000_000  # a larger step might take NumPy's whole numbers over their end within seconds
ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
OF_ONE_LENGTH = (str, bytes, tuple, range, np.ndarray)
CHANGING = frozenset({"append", "extend", "insert", "pop", "remove", "clear"})  # of lists
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)

Look = Callable[[str], Any]  # a name's value


class Course:
    """How a name moves in a loop, and what it is compared with.

    Attributes
    ----------
    direction : int
        `UP` or `DOWN`.
    kinds : frozenset of type
        What it has to be for that: numbers, or `str`, or `list`.
    marks : list of ast.expr
        What it, or its length, is compared with.
    changed : frozenset of str or None
        The names whose lists may change their length in the loop; None where any list may.
    """

    def __init__(
        self,
        direction: int,
        kinds: frozenset[type],
        marks: list[ast.expr],
        changed: frozenset[str] | None,
    ) -> None:
        self.direction, self.kinds, self.marks, self.changed = direction, kinds, marks, changed


def find(loop: ast.While) -> dict[str, Course]:
    """Give the names that move on and are compared, by the syntax of a loop."""
    parts = list(ast.walk(loop))
    uses = Counter(part.id for part in parts if isinstance(part, ast.Name))
    stored, changed = _stored(parts), _changed(parts)
    caught = any(isinstance(part, ast.Try) for part in parts)
    own: Counter[str] = Counter()
    steps: dict[str, set[tuple[int, frozenset[type]]]] = {}
    marks: dict[str, list[ast.expr]] = {}
    lengths: dict[str, set[bool]] = {}
    returned: set[int] = set()  # parts: a name in one is told of once, whatever it is in there
    for part in parts:
        if isinstance(part, ast.Return) and not caught:
            own.update(each.id for each in ast.walk(part) if isinstance(each, ast.Name))
            returned.update(map(id, ast.walk(part)))
    for part in parts:
        if id(part) in returned:
            continue
        for name, count, step in _moves(part):
            own[name] += count
            steps.setdefault(name, set()).add(step)
        for name, of_length, mark in _compared(part):
            if _is_fixed(mark, stored):
                own[name] += 1
                marks.setdefault(name, []).append(mark)
                lengths.setdefault(name, set()).add(of_length)
    found = {}
    for name, against in marks.items():
        if own[name] != uses[name] or len(steps.get(name, ())) != 1:
            continue
        [(direction, kinds)] = steps[name]
        grows = not kinds & set(NUMBERS)
        if lengths[name] == {grows} and not (grows and (caught or "len" in stored)):
            found[name] = Course(direction, kinds, against, changed)
    return found


def _stored(parts: list[ast.AST]) -> set[str]:
    """Give every name that something in a loop binds."""
    found = {each.name for each in parts if isinstance(each, ast.ExceptHandler) and each.name}
    for part in parts:
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            found.add(part.id)
    return found


def _changed(parts: list[ast.AST]) -> frozenset[str] | None:
    """Give the names whose lists a loop may make longer or shorter; None where it may any list."""
    found, grown, bound = set(), set(), set()
    for part in parts:
        match part:
            case ast.AugAssign(target=ast.Name(id=name) as target):
                found.add(name)
                grown.add(id(target))
            case ast.Name(id=name, ctx=ast.Store()):
                bound.add((name, id(part)))
            case ast.AugAssign() | ast.Subscript(ctx=ast.Store(), slice=ast.Slice()):
                return None
            case ast.Attribute(value=ast.Name(id=name), attr="append"):
                found.add(name)
            case ast.Attribute(attr=attribute) if attribute in CHANGING:
                return None
    # A name that is bound to others too may be another list's in the midst of a round.
    anew = {name for name, where in bound if where not in grown}
    return None if anew & found else frozenset(found)


def _moves(part: ast.AST) -> Iterator[tuple[str, int, tuple[int, frozenset[type]]]]:
    """Give the name that a statement moves on, how often it is in it, and how it moves."""
    match part:
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
            if step := _step(op, value):
                yield name, 1, step
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.BinOp(left=ast.Name(id=left), op=op, right=value),
        ) if left == name:
            if step := _step(op, value):
                yield name, 2, step
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.BinOp(left=value, op=ast.Add() as op, right=ast.Name(id=right)),
        ) if right == name:
            if step := _step(op, value):
                yield name, 2, step
        case ast.Expr() if name := tallies.appended(part):
            yield name, 1, (UP, frozenset({list}))


def _step(op: ast.operator, value: ast.expr) -> tuple[int, frozenset[type]] | None:
    """Give the direction in which a constant moves a name, and what kinds of name."""
    sign = {ast.Add: UP, ast.Sub: DOWN}.get(type(op), 0)
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        sign, value = -sign, value.operand
    constant: Any = value.value if isinstance(value, ast.Constant) else None
    if type(constant) in (int, float) and 0 < constant <= FAST and sign:
        return sign, frozenset(NUMBERS)
    if type(constant) is str and 0 < len(constant) <= LONG and type(op) is ast.Add:
        return (UP, frozenset({str})) if sign == UP else None
    return None


def _compared(part: ast.AST) -> Iterator[tuple[str, bool, ast.expr]]:
    """Give each name that a comparison is about, whether by its length, and with what."""
    if isinstance(part, ast.While | ast.If | ast.IfExp):  # ``while n`` asks whether it is 0
        for name in _asked(part.test):
            yield name, False, ast.Constant(0)
    if not isinstance(part, ast.Compare) or len(part.ops) != 1:
        return
    if not isinstance(part.ops[0], COMPARISONS):
        return
    sides = (part.left, part.comparators[0])
    for side, other in (sides, sides[::-1]):
        match side:
            case ast.Name(id=name):
                yield name, False, other
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)], keywords=[]):
                yield name, True, other


def _asked(test: ast.expr) -> Iterator[str]:
    """Give the names that a test is made of."""
    match test:
        case ast.Name(id=name):
            yield name
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _asked(operand)
        case ast.BoolOp(values=values):
            for each in values:
                yield from _asked(each)


def _is_fixed(mark: ast.expr, stored: set[str]) -> bool:
    """Whether the loop's own syntax leaves a value as it is, as far as that can be seen there."""
    match mark:
        case ast.Constant(value=value):
            return type(value) in (int, float)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
            return type(value) in (int, float)
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name), attr="size" | "ndim"):
            return name not in stored
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)], keywords=[]):
            return not {name, "len"} & stored
        case ast.Subscript(
            value=ast.Attribute(value=ast.Name(id=name), attr="shape"), slice=ast.Constant()
        ):
            return name not in stored
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            return _is_fixed(left, stored) and _is_fixed(right, stored)
    return False


def form(value: Any, course: Course, look: Look) -> Any:
    """Give the form of a name that is past all its marks; None where it is not, or may be not."""
    kind = type(value)
    if kind not in course.kinds:
        return None
    if kind is list and tallies.grows_fast(value):
        return None
    if kind in (str, list) and look("len") is not builtins.len:
        return None
    at = len(value) if kind in (str, list) else value
    marks = [_mark(each, look, course.changed) for each in course.marks]
    if not abs(at) < FAR or not all(type(each) in NUMBERS and abs(each) < FAR for each in marks):
        return None
    return (kind,) if all((at - each) * course.direction > 0 for each in marks) else None


def _mark(mark: ast.expr, look: Look, changed: frozenset[str] | None) -> Any:
    """Give what a name is compared with; None where that is not known to stay as it is."""
    match mark:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(operand=ast.Constant() as constant):
            return -constant.value  # type: ignore[operator]
        case ast.Name(id=name):
            return look(name)
        case ast.BinOp(left=left, op=op, right=right):
            sides = [_mark(each, look, changed) for each in (left, right)]
            if all(type(each) in NUMBERS and abs(each) < FAR for each in sides):
                return ARITHMETIC[type(op)](*sides)
        case ast.Call(args=[ast.Name(id=name)]):
            value = look(name)
            stays = type(value) in OF_ONE_LENGTH or (
                type(value) is list
                and changed is not None
                and all(look(each) is not value for each in changed)
            )
            return len(value) if stays and look("len") is builtins.len else None
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            value = look(name)
            return getattr(value, attribute) if type(value) is np.ndarray else None
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name)), slice=ast.Constant(at)):
            value = look(name)
            return value.shape[at] if type(value) is np.ndarray else None
    return None


__all__ = ["Course", "find", "form"]
