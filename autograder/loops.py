"""What a `while` loop is made of: its syntax, and the state of all that it works with.

Both are of closed lists: what is not known to do nothing but compute is `Unclear`. The reasons
stand in `endless`. This runs inside the worker: standard library and NumPy only.
"""

from __future__ import annotations

import ast
import builtins
import math
import sys
import types
import weakref
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder import overshot, tallies

MAX_BYTES = 2**20  # of all that a loop works with
MAX_PARTS = 2_000

FUNCTIONS = frozenset(
    id(getattr(builtins, name))
    for name in "abs all any bool complex dict divmod enumerate float int isinstance len list max"
    " min pow range repr reversed round sorted str sum tuple zip".split()
)
ARRAY_FUNCTIONS = frozenset(
    id(getattr(np, name))
    for name in "all allclose amax amin any arange argmax argmin argsort array array_equal asarray"
    " atleast_1d atleast_2d broadcast_to clip concatenate copy cumprod cumsum diag expand_dims eye"
    " flip full full_like hstack identity isclose linspace max mean min moveaxis ndim ones"
    " ones_like prod ravel repeat reshape shape size sort split squeeze stack std sum swapaxes"
    " tile transpose tril triu var vstack where zeros zeros_like".split()
)
PRODUCTS = ("matmul", "vecdot", "matvec", "vecmat")
MODULES = (np, math)
LEAVES = (type(None), bool, int, float, complex, str, bytes, range, type(...))
# Of arrays: what multiplies matrices, reaches memory, writes files.
NOT_ATTRIBUTES = frozenset({"ctypes", "data", "dot", "dump", "tofile"})
SYNTAX = (
    *(ast.While, ast.If, ast.For, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Pass),
    *(ast.Continue, ast.Break, ast.Return, ast.Assert, ast.Raise, ast.Try, ast.ExceptHandler),
    *(ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple, ast.List),
    *(ast.Dict, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Call, ast.keyword),
    # No sets: in which order they give what is no number is a matter of where it lies.
    *(ast.Starred, ast.NamedExpr, ast.JoinedStr, ast.FormattedValue, ast.ListComp, ast.DictComp),
    *(ast.GeneratorExp, ast.comprehension, ast.expr_context, ast.boolop),
    *(ast.operator, ast.unaryop, ast.cmpop),
)
GATHERING = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
INNER = (ast.For, ast.While, *GATHERING)
REMOVING = frozenset({"pop", "popitem", "clear"})
CLOCKS = frozenset({"now", "today"})  # texts of which NumPy makes a time
COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Unclear(Exception):
    """A value or step of which nothing is known."""


class Loop:
    """One `while` loop as syntax: where its state can be taken, and which names it is made of.

    Attributes
    ----------
    line, last : int
        Its first and last line.
    anchors : set of int
        Lines of it, in no loop within it, on which one statement begins and nothing else is: who
        comes to such a line has no value half made.
    names : list of str
        All names in it. One that a comprehension binds may be the function's own as well.
    clear : bool
        Whether all its syntax is of the closed list.
    idle : bool
        Whether it is one line that does nothing: such a loop may jump to itself, which is no new
        line; as nothing in it can change anything, its state can be taken anywhere.
    attributes : dict of str to set of str
        What is taken of each name, as in ``np.exp``.
    bare : set of str
        Names that stand for themselves somewhere.
    tallies : dict of str to set
        Names that only add up, with the ways in which they do.
    courses : dict of str to Course
        Names that move in one direction, with what they are compared with.
    """

    def __init__(self, node: ast.While) -> None:
        self.line, self.last = node.lineno, node.end_lineno or node.lineno
        parts = list(ast.walk(node))
        self.clear = all(isinstance(part, SYNTAX) and not _is_unclear(part) for part in parts)
        self.idle = self.line == self.last and all(
            isinstance(each, ast.Pass | ast.Continue) for each in node.body
        )
        if self.idle:
            self.clear &= not any(isinstance(part, ast.NamedExpr | ast.Call) for part in parts)
        begun = Counter(part.lineno for part in parts if isinstance(part, ast.stmt))
        inner = [part for part in parts if isinstance(part, INNER) and part is not node]
        long = [part for part in parts if isinstance(part, ast.expr) and _lines(part) > 1]
        self.anchors = {
            line
            for line in ([self.line] if self.idle else _beginnings(node))
            if (begun[line] == 1 or self.idle)
            and not any(_over(part, line) for part in (*inner, *long))
        }
        names = {part.id for part in parts if isinstance(part, ast.Name)}
        names |= {part.name for part in parts if isinstance(part, ast.ExceptHandler) and part.name}
        self.names = sorted(names)
        self.tallies = tallies.find(node)
        self.courses = overshot.find(node)
        self.attributes: dict[str, set[str]] = {}
        owners = set()
        for part in parts:
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                owners.add(part.value)
                self.attributes.setdefault(part.value.id, set()).add(part.attr)
        self.bare = {p.id for p in parts if isinstance(p, ast.Name) and p not in owners}


def _is_unclear(part: ast.AST) -> bool:
    """Whether a part of the closed list does what is not known, or tells equal values apart."""
    if isinstance(part, ast.BinOp | ast.AugAssign):
        return isinstance(part.op, ast.MatMult)
    if isinstance(part, ast.Compare):  # of two numbers that are the same, ``is`` may say either
        named = (ast.Is, ast.IsNot)
        pairs = zip(part.ops, part.comparators, strict=True)
        return any(isinstance(op, named) and not _is_single(right) for op, right in pairs)
    if isinstance(part, (ast.For, *GATHERING)):  # what a dict gives that changes meanwhile
        within = [each for each in ast.walk(part) if isinstance(each, ast.Attribute)]
        return any(each.attr in REMOVING for each in within)
    if isinstance(part, ast.Constant):
        return _is_clock(part.value)
    if isinstance(part, ast.Name):  # in a class it goes by another name
        return part.id.startswith("__") and not part.id.endswith("__")
    if isinstance(part, ast.keyword):  # NumPy leaves memory that nobody wrote where it is not so
        return part.arg in ("where", None)
    if isinstance(part, ast.Attribute):
        odd = part.attr in NOT_ATTRIBUTES or part.attr.startswith("_")
        return odd or not isinstance(part.ctx, ast.Load)
    return False


def _is_single(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (type(None), bool)


def _is_clock(value: Any) -> bool:
    text = value.decode("latin-1") if type(value) is bytes else value
    return type(text) is str and text.strip().lower() in CLOCKS


def _beginnings(node: ast.stmt) -> Iterator[int]:
    """Give the lines on which a loop and the statements in it begin, inner loops aside."""
    if isinstance(node, ast.If | ast.While):
        if _lines(node.test) == 1 and node.test.lineno == node.lineno < node.body[0].lineno:
            yield node.lineno
    elif not isinstance(node, ast.Try):
        if _lines(node) == 1:
            yield node.lineno
        return
    within = [] if isinstance(node, ast.While) else node.orelse
    for each in (*node.body, *within):
        if not isinstance(each, ast.For | ast.While):
            yield from _beginnings(each)


def _lines(part: ast.expr | ast.stmt) -> int:
    return (part.end_lineno or part.lineno) - part.lineno + 1


def _over(part: ast.AST, line: int) -> bool:
    """Whether a part stands over a line; what has no place of its own does not."""
    return getattr(part, "lineno", line + 1) <= line <= (getattr(part, "end_lineno", None) or 0)


def loops_at(tree: ast.Module, line: int) -> list[Loop]:
    """Give the `while` loops around a line, the innermost first, up to the function it is in."""
    found: list[ast.While] = []
    over: list[ast.AST] = [tree]
    while over:
        over = [child for child in ast.iter_child_nodes(over[-1]) if _over(child, line)]
        for child in over:
            if isinstance(child, SCOPES):
                found.clear()
            elif isinstance(child, ast.While):
                found.append(child)
    return [Loop(node) for node in reversed(found)]


class State:
    """All that some values are made of, as one tuple that can be compared."""

    def __init__(self) -> None:
        self._left, self._bytes = MAX_PARTS, MAX_BYTES
        self._known: dict[int, int] = {}
        self._kept: list[Any] = []  # so that no place in memory is used twice

    def of(self, value: Any) -> Any:
        """Give the state of one value.

        Raises
        ------
        Unclear
            Where what it is or does is not known, or there is too much of it.
        """
        self._left -= 1
        if self._left < 0:
            raise Unclear
        kind = type(value)
        if kind in LEAVES and value == value:  # lists tell one that is no number from another
            if kind in (str, bytes, int):
                self._take(sys.getsizeof(value))
            if _is_clock(value):
                raise Unclear
            # Of 0.0 and -0.0, and of empty ranges, one equals the other.
            alike = kind in (float, complex, range)
            return (kind.__name__, repr(value)) if alike else (kind, value)
        if known_function(value):
            return ("function", id(value))
        if issubclass(kind, np.generic):
            scalar = self._scalar(value)
            if value == value:
                return scalar
        if id(value) in self._known:
            return ("again", self._known[id(value)])
        self._known[id(value)] = len(self._known)
        self._kept.append(value)
        if kind in LEAVES:  # what is no number has a sign nevertheless
            return (kind, np.array(value).tobytes())
        if issubclass(kind, np.generic):
            return scalar
        if kind is np.ndarray:
            return self._array(value)
        if kind in (list, tuple):
            return (kind, *map(self.of, tuple(value)))
        if kind is dict:
            return (kind, *((self.of(key), self.of(each)) for key, each in list(value.items())))
        raise Unclear

    def _take(self, size: int) -> None:
        self._bytes -= size
        if self._bytes < 0:
            raise Unclear

    def _scalar(self, value: np.generic) -> Any:
        if value.dtype.kind not in "biufc" or type(value).__module__ != "numpy":
            raise Unclear
        return (value.dtype.str, value.tobytes())

    def _array(self, value: Any) -> Any:
        if value.dtype.kind not in "biufc" or weakref.getweakrefcount(value):
            raise Unclear  # who waits for its end may be told in a later round
        self._take(value.nbytes)
        base, place = value.base, 0
        if base is not None and type(base) is not bytes:
            if type(base) is not np.ndarray:
                raise Unclear
            place = value.ctypes.data - base.ctypes.data
            base = self.of(base)
        form = (value.dtype.str, value.shape, value.strides, value.flags.num, place)
        return (form, value.tobytes(), base)


def known_function(value: Any) -> bool:
    """Whether a value is a function or a type that does nothing but compute."""
    if id(value) in FUNCTIONS or id(value) in ARRAY_FUNCTIONS:
        return True
    kind = type(value)
    if kind is np.ufunc:  # and not one that is made of somebody's function
        return value.__name__ not in PRODUCTS and getattr(np, value.__name__, None) is value
    if kind is types.BuiltinFunctionType:
        return value.__self__ is math
    if kind is type:
        own = builtins if issubclass(value, BaseException) else np
        return (
            issubclass(value, np.number | np.bool_ | np.character | BaseException)
            and value is not np.timedelta64
            and getattr(own, value.__name__, None) is value
        )
    return False


def check_module(module: types.ModuleType, attributes: set[str]) -> None:
    """Let what a loop takes of a module pass where it is a known function or a number.

    Raises
    ------
    Unclear
    """
    for name in attributes:
        value = vars(module).get(name)
        if not known_function(value) and type(value) not in (float, int, type(None)):
            raise Unclear
