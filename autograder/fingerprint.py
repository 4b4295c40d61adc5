"""Writes a piece of syntax down so that names do not count, and finds such pieces in a tree.

Python's own functions keep their names, and so do attributes and keywords. What a fingerprint is
taken of, and what it proves, is not known here.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

_BUILTINS = frozenset(dir(builtins))
_NUMBER = re.compile(r"v\d+")
_UNTOLD = ("ctx", "type_comment", "kind")
_TOLD: dict[type[ast.AST], tuple[str, ...]] = {}  # a kind of node to the fields that count


def fingerprint(node: ast.AST) -> str:
    """Write a node down, its names numbered as they come.

    Returns
    -------
    str
        Equal for two nodes that differ in names, spacing, annotations or the order of keyword
        arguments only.
    """
    return _Pen().write(node)


class _Pen:
    """Writes one node down."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, text: str) -> str:
        return self._names.setdefault(text, f"v{len(self._names)}")

    def word(self, text: str) -> str:
        return text

    def node(self, item: ast.AST) -> str:
        return _FORMS.get(type(item), _plain)(self, item)

    def write(self, item: Any) -> str:
        if isinstance(item, ast.AST):
            return self.node(item)
        if isinstance(item, list):
            return "[" + ",".join(map(self.write, item)) + "]"
        return self.word(repr(item))


def _plain(pen: _Pen, item: ast.AST) -> str:
    kind = type(item)
    if not kind._fields:  # an operator
        return f"{kind.__name__}()"
    told = [pen.write(getattr(item, field)) for field in _fields(kind) if hasattr(item, field)]
    return f"{kind.__name__}({','.join(told)})"


def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    if kind not in _TOLD:
        _TOLD[kind] = tuple(field for field in kind._fields if field not in _UNTOLD)
    return _TOLD[kind]


def _call(pen: _Pen, item: ast.Call) -> str:
    keywords = sorted(item.keywords, key=lambda each: each.arg or "")
    called = item.func.id if isinstance(item.func, ast.Name) else ""
    function = called if called in _BUILTINS else pen.write(item.func)
    return f"Call({function},{pen.write(item.args)},{pen.write(keywords)})"


def _function(pen: _Pen, item: ast.FunctionDef) -> str:
    return f"Function({pen.name(item.name)},{pen.write(item.args)},{pen.write(item.body)})"


def _augmented(pen: _Pen, item: ast.AugAssign) -> str:
    value = ast.BinOp(item.target, item.op, item.value)
    return f"Assign({pen.write([item.target])},{pen.write(value)})"


_FORMS: Mapping[type[ast.AST], Callable[[_Pen, Any], str]] = {
    ast.Name: lambda pen, item: pen.name(item.id),
    ast.arg: lambda pen, item: pen.name(item.arg),
    ast.Assign: lambda pen, item: f"Assign({pen.write(item.targets)},{pen.write(item.value)})",
    ast.AnnAssign: lambda pen, item: f"Assign({pen.write([item.target])},{pen.write(item.value)})",
    ast.AugAssign: _augmented,
    ast.Call: _call,
    ast.FunctionDef: _function,
    ast.Attribute: lambda pen, item: f"Attribute({pen.write(item.value)},{pen.word(item.attr)})",
}

_UNWRITTEN: Mapping[type[ast.AST], tuple[str, ...]] = {
    ast.arg: ("annotation",),
    ast.AnnAssign: ("annotation",),
    ast.FunctionDef: ("decorator_list", "returns", "type_params"),
}


# Finding what may be one of many, without a fingerprint of every part of a tree


class _Blunt(_Pen):
    """Writes a whole tree down once, every name alike, and keeps the nodes that may be sought.

    A fingerprint cannot be made of those of its parts, since each numbers its names anew; without
    numbers it can. What is longer than anything that is sought is not carried further.
    """

    def __init__(self, sought: frozenset[str]) -> None:
        super().__init__()
        self._sought, self._longest = _unnumbered_all(sought)
        self._too_long = "…" * (self._longest + 1)
        self.found: list[ast.AST] = []

    def name(self, text: str) -> str:
        return "v"

    def word(self, text: str) -> str:
        return _unnumbered(text)

    def node(self, item: ast.AST) -> str:
        text = super().node(item)
        for part in _UNWRITTEN.get(type(item), ()):
            self.write(getattr(item, part, None))  # it is looked through all the same
        if len(text) > self._longest:
            return self._too_long
        if text in self._sought and hasattr(item, "lineno"):  # else it was made by `_augmented`
            self.found.append(item)
        return text


def _unnumbered(text: str) -> str:
    return _NUMBER.sub("v", text) if "v" in text else text


@lru_cache(maxsize=8)
def _unnumbered_all(sought: frozenset[str]) -> tuple[frozenset[str], int]:
    found = frozenset(map(_unnumbered, sought))
    return found, max(map(len, found), default=0)


def candidates(tree: ast.AST, fingerprints: Iterable[str]) -> list[ast.AST]:
    """Give the parts of a tree of which a fingerprint may be among those that are sought.

    Every part whose fingerprint is one of them is given, and few others.
    """
    pen = _Blunt(frozenset(fingerprints))
    pen.write(tree)
    return pen.found
