"""Frozen checks: what a visible check drew and what the reference answered, as plain numbers.

At build time the recorders note every number that goes into a check; on a student's machine the
players give the same numbers back, so that the very same check judges there without any
implementation beside it. Numbers keep nine significant digits, so that two machines record the
same. The module knows nothing of files.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.student import Handle, LocalStudent, Op, Reply, Student, Trouble

Record = list[Any]  # [what was asked, the encoded answer]

DIGITS = 9
FLOOR = 1e-12  # below this share of the largest entry, a computed number is rounding noise


class PlaybackFault(Exception):
    """A check asked for other numbers than were recorded for it: the kit's own fault."""


# Numbers as JSON


def rounded(value: Any, floor: float = 0.0) -> Any:
    """Give a plain value with its floats cut to nine significant digits.

    Parameters
    ----------
    value : object
        Array, number, or container of these; anything else is given back as it is.
    floor : float
        Entries of an array that are smaller than this share of its largest become 0.
    """
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind == "f":
        array = np.asarray(value)
        finite = np.abs(array[np.isfinite(array)])
        least = floor * max(1.0, float(finite.max(initial=0.0)))
        flat = [0.0 if abs(each) < least else _cut(each) for each in array.ravel().tolist()]
        return np.array(flat, dtype=array.dtype).reshape(array.shape)
    if type(value) is float:
        return 0.0 if abs(value) < floor else _cut(value)
    if isinstance(value, list | tuple):
        return type(value)(rounded(each, floor) for each in value)
    if isinstance(value, dict):
        return {key: rounded(each, floor) for key, each in value.items()}
    return value


def _cut(number: float) -> float:
    return float(f"{number:.{DIGITS}g}") + 0.0  # -0.0 + 0.0 is 0.0


def encode(value: Any) -> Any:
    """Give a plain value, a `Handle` or a `Trouble` as JSON; `decode` is the way back."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        return {
            "dtype": array.dtype.name,
            "shape": list(array.shape),
            "data": [encode(each) for each in array.ravel().tolist()],
        }
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        # JSON has no inf and nan
        return float(value) if math.isfinite(value) else {"float": str(float(value))}
    if isinstance(value, Handle):
        return {"handle": value.number}
    if isinstance(value, Trouble):
        return {"trouble": [value.kind, value.detail]}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [encode(each) for each in value]}
    if isinstance(value, dict):
        return {"dict": {key: encode(each) for key, each in value.items()}}
    raise TypeError(f"{type(value).__name__} has no frozen form")


def decode(value: Any) -> Any:
    """Give the value that `encode` froze."""
    if not isinstance(value, dict):
        return value
    if "shape" in value:
        flat = np.array([decode(each) for each in value["data"]], dtype=value["dtype"])
        return flat.reshape(value["shape"])
    [(kind, inner)] = value.items()
    if kind == "dict":
        return {key: decode(each) for key, each in inner.items()}
    if kind == "trouble":
        return Trouble(*inner)
    if kind in ("list", "tuple"):
        parts = [decode(each) for each in inner]
        return tuple(parts) if kind == "tuple" else parts
    return Handle(inner) if kind == "handle" else float(inner)


# Recording, at build time


class RecordingRng:
    """A generator that notes each of its answers, and gives them as they will be played."""

    def __init__(self, seed: int) -> None:
        self.records: list[Record] = []
        self._generator = np.random.default_rng(seed)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        draw = getattr(self._generator, name)

        def recorded(*args: Any, **kwargs: Any) -> Any:
            value = rounded(draw(*args, **kwargs))
            if value is None:
                raise TypeError(f"rng.{name} changes its argument: frozen checks cannot follow")
            self.records.append([name, encode(value)])
            return decode(encode(value))

        return recorded


class RecordingReference(LocalStudent):
    """The reference, whose answers are noted and given as they will be played."""

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        super().__init__(namespace)
        self.records: list[Record] = []

    def ask(
        self,
        op: Op,
        name: str,
        target: int | None,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Reply:
        """Answer from the namespace, to nine digits."""
        value = rounded(super().ask(op, name, target, args, kwargs).value, FLOOR)
        self.records.append([f"{op} {name}", encode(value)])
        return Reply(decode(encode(value)))


# Playing, on a student's machine


class _Tape:
    def __init__(self, what: str, records: Sequence[Record]) -> None:
        self.what, self.records, self.position = what, records, 0

    def next(self, asked: str) -> Any:
        recorded = self.records[self.position] if self.position < len(self.records) else [None, 0]
        if recorded[0] != asked:
            raise PlaybackFault(f"{self.what} was asked for {asked!r}, recorded is {recorded[0]!r}")
        self.position += 1
        return decode(recorded[1])


class PlaybackRng:
    """Gives recorded draws in their order, whatever a draw's arguments are."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._tape = _Tape("rng", records)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self._tape.next(name)


class PlaybackReference(Student):
    """Answers the k-th question of a check as the reference did.

    Parameters
    ----------
    records : callable
        Gives the records of the check that is asking; called at the first question.
    """

    def __init__(self, records: Callable[[], Sequence[Record]]) -> None:
        super().__init__()
        self._records, self._tape = records, None

    _tape: _Tape | None

    def ask(
        self,
        op: Op,
        name: str,
        target: int | None,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Reply:
        """Give the recorded answer."""
        if self._tape is None:
            self._tape = _Tape("reference", self._records())
        return Reply(self._tape.next(f"{op} {name}"))
