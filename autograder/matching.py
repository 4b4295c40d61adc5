"""Whether two answers are the same numbers, within a tolerance that fits the question.

A recorded answer becomes a `Target` once; candidates are compared with it many times, so this is
the inner loop of a diagnosis. Here nobody is judged: a check's own comparison is `expect`'s.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.student import BUILTIN_EXCEPTIONS, Trouble

TOLERANCE = 1e-5
LARGE = 16.0  # inputs beyond this lose digits in float32, in proportion
MOST_LEAVES = 2_000  # of an answer in lists: no question has a longer answer
LEAST = 1e-7  # what float32 leaves of a difference that should be 0


@dataclass(frozen=True)
class Failure:
    """That a call raised, by the exception's name."""

    kind: str


class Target:
    """One recorded answer, ready to be compared.

    Parameters
    ----------
    answer : object
        A plain value: None, text, number, array, or containers of these; a `Failure`.
    tolerance : float
        For arrays, relative to the largest entry and to each entry.
    """

    __slots__ = ("finite", "first", "kind", "limit", "parts", "shape", "slack", "truth", "value")

    def __init__(self, answer: Any, tolerance: float = TOLERANCE) -> None:
        self.value: Any = answer
        self.parts: tuple[Target, ...] = ()
        if answer is None or isinstance(answer, str | Failure):
            self.kind = "exact"
        elif _leaves(answer) > MOST_LEAVES:
            self.kind = "nothing"
        elif isinstance(answer, dict):
            self.kind, self.value = "dict", tuple(answer)
            self.parts = tuple(Target(each, tolerance) for each in answer.values())
        elif isinstance(answer, list | tuple):
            self.kind = "items"
            self.parts = tuple(Target(each, tolerance) for each in answer)
        else:
            self._numbers(answer, tolerance)

    def _numbers(self, answer: Any, tolerance: float) -> None:
        array = np.asarray(answer)
        if array.dtype.kind not in "biuf":
            self.kind = "nothing"
            return
        self.kind = "array"
        self.shape, self.truth = array.shape, array.dtype.kind == "b"
        self.value = value = array.astype(np.float64)
        finite = np.isfinite(value)
        self.finite: NDArray[np.bool_] | None = None if finite.all() else finite
        sizes = np.abs(np.where(finite, value, 0.0))
        self.limit = tolerance * (sizes + sizes.max(initial=0.0)) + LEAST
        if value.size:
            self.first, self.slack = float(value.item(0)), float(self.limit.item(0))

    def matches(self, found: Any) -> bool:
        """Whether a candidate's answer is this one."""
        kind = self.kind
        if kind == "array":
            return self._array_matches(found)
        if kind == "items":
            return self._items_match(found)
        if kind == "dict":
            return (
                isinstance(found, dict)
                and tuple(found) == self.value
                and all(t.matches(v) for t, v in zip(self.parts, found.values(), strict=True))
            )
        return kind == "exact" and type(found) is type(self.value) and bool(found == self.value)

    def _array_matches(self, found: Any) -> bool:
        if type(found) is not np.ndarray:
            if found is None or isinstance(found, str | dict | Failure):
                return False
            try:
                found = np.asarray(found)
            except (ValueError, TypeError):
                return False
        if found.shape != self.shape or (found.dtype.kind == "b") != self.truth:
            return False
        if found.dtype.kind not in "biuf":
            return False
        finite = self.finite
        if finite is None:
            # most candidates differ in the first number: looking at it alone is ten times cheaper
            if self.value.size and not abs(found.item(0) - self.first) <= self.slack:
                return False
            return bool((np.abs(found - self.value) <= self.limit).all())
        if not np.array_equal(
            np.where(finite, 0.0, found), np.where(finite, 0.0, self.value), True
        ):
            return False
        return bool((np.abs(found - self.value)[finite] <= self.limit[finite]).all())

    def _items_match(self, found: Any) -> bool:
        if isinstance(found, np.ndarray):
            if found.ndim == 0 or len(found) != len(self.parts):
                return False
        elif not isinstance(found, list | tuple) or len(found) != len(self.parts):
            return False
        return all(t.matches(v) for t, v in zip(self.parts, found, strict=True))

    @property
    def telling(self) -> tuple[int, int]:
        """How well an answer tells candidates apart: sort by it, best first."""
        size = self.value.size if self.kind == "array" else sum(p.telling[1] for p in self.parts)
        exact = self.kind in ("exact", "nothing") or (
            self.kind == "array" and (self.finite is not None or self.truth)
        )
        return (int(exact), size if 4 <= size <= 64 else 64 + size)


def _leaves(answer: Any) -> int:
    if isinstance(answer, dict):
        answer = tuple(answer.values())
    return sum(map(_leaves, answer)) if isinstance(answer, list | tuple) else 1


def tolerance_for(inputs: Iterable[Any]) -> float:
    """Give the tolerance for a question: looser where its inputs are so large that digits go."""
    largest = 0.0
    for each in inputs:
        if isinstance(each, np.ndarray) and each.dtype.kind == "f" and each.size:
            largest = max(largest, float(np.abs(each[np.isfinite(each)]).max(initial=0.0)))
    return TOLERANCE * max(1.0, largest / LARGE)


def outcome(answer: Any) -> Any:
    """Give a recorded answer as it is compared: an exception by its name.

    Returns
    -------
    object
        None in place of a `Failure` never happens; a `Trouble` other than an exception gives
        ``NotImplemented``: no known mistake explains it.
    """
    if isinstance(answer, Trouble):
        return Failure(answer.detail) if answer.kind == "raised" else NotImplemented
    return answer


def failure(name: str) -> Failure:
    """Give what a candidate's exception looks like in a trace."""
    return Failure(name if name in BUILTIN_EXCEPTIONS else "Exception")


def signs(picture: Any, inputs: Mapping[str, Any]) -> Any:
    """Give the signs of each row of a drawing, and whether its lines are equally wide.

    Two drawings with the same signs are the same answer, however they are spaced, and however
    often a cell shows its sign.
    """
    if not isinstance(picture, str):
        return picture
    shape = np.shape(inputs["weights"])
    return _signs(picture, inputs["chars"], shape[1] if len(shape) == 2 else 0)


@functools.lru_cache(maxsize=256)
def _signs(picture: str, chars: str, cells: int) -> str:
    lines = picture.replace("\r\n", "\n").rstrip("\n").split("\n")
    shown = set(chars) - {" "}  # a space may be a sign, or space
    rows = [_once("".join(sign for sign in line if sign in shown), cells) for line in lines]
    return "|".join([*rows, str(len({_cells(line) for line in lines}) == 1)])


def _once(row: str, cells: int) -> str:
    wide = len(row) // cells if cells else 1
    once = row[::wide] if wide > 1 else row
    return once if row == "".join(sign * wide for sign in once) else row


def _cells(text: str) -> int:
    return len(text) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)


VIEWS = {"": lambda answer, inputs: answer, "signs": signs}
