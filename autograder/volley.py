"""Questions to a worker, one or many in a frame, and many answers back.

Most of what a question costs is waiting in turn: two processes that wake each other for each of
two hundred. Questions that do not wait for one another's answers travel together here.

Questions are plain values, sent as an order of `wire`. An answer comes the other way: it is a tree
and raw bytes as `wire` reads them, and says nothing else. This is loaded on both sides: standard
library and NumPy only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder import wire

ALL, SOME = 5, 19  # kinds of frames: questions to the worker, answers to some of them
MAX_TREE = 2**18  # bytes of the JSON of one frame of answers
LARGE = 2**15  # bytes of answers after which they are sent on
ROOM = 2**20  # bytes of an answer's arrays, beside four times what was asked with
LEAVES = frozenset({type(None), bool, int, float, str})


@dataclass(frozen=True, slots=True)
class Question:
    """One question, with its arguments packed.

    Attributes
    ----------
    op, name : str
    target : int or None
        The worker's own object that is asked.
    args, kwargs : list
        The arguments, packed.
    sets : list
        Attributes to set before: object, name, packed value of each.
    room : int
        Bytes that its answer's arrays may have.
    """

    op: str
    name: str
    target: int | None
    args: list[Any]
    kwargs: dict[str, Any]
    sets: list[Any]
    room: int


class Packer:
    """Packs values: a tuple is an array, a list is a container, bytes are an object's number.

    Parameters
    ----------
    number : callable
        Gives the number of an object of the worker's; None for what is none.

    Attributes
    ----------
    size : int
        Bytes of all arrays so far.
    """

    def __init__(self, number: Callable[[Any], int | None]) -> None:
        self._number = number
        self.size = 0

    def pack(self, value: Any) -> Any:
        """Give the packed form of a plain value.

        Raises
        ------
        ProtocolError
            For anything else.
        """
        kind = type(value)
        if kind is np.ndarray:
            dtype = wire.little(value)
            self.size += value.nbytes
            return (dtype, value.shape, np.asarray(value, dtype=dtype).tobytes())
        if kind in LEAVES:
            return value
        if kind is tuple or kind is list:
            return [kind.__name__, *map(self.pack, value)]
        if kind is dict and all(map(_is_key, value)):
            return ["dict", *((key, self.pack(each)) for key, each in value.items())]
        number = self._number(value)
        if number is None:
            raise wire.ProtocolError("no such value")
        return b"%d" % number

    def question(
        self,
        op: str,
        name: str,
        target: int | None,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        sets: list[Any],
    ) -> Question:
        """Give a question with its arguments packed, and the attributes that were packed before."""
        plain = [self.pack(each) for each in args]
        keywords = {key: self.pack(each) for key, each in kwargs.items()}
        return Question(op, name, target, plain, keywords, sets, 4 * self.size + ROOM)


def _is_key(key: Any) -> bool:
    """Whether a dict's key arrives as it is: of NumPy's scalars only their bytes would."""
    return type(key) in LEAVES or (type(key) is tuple and all(map(_is_key, key)))


def unpacked(value: Any, own: Callable[[int], Any]) -> Any:
    """Give a packed value anew, each time another copy."""
    kind = type(value)
    if kind is tuple:
        dtype, shape, data = value
        return np.ndarray(shape, dtype, data or None).copy()  # its own, as code may resize it
    if kind is bytes:
        return own(int(value))
    if kind is not list:
        return value
    if value[0] == "dict":
        return {key: unpacked(each, own) for key, each in value[1:]}
    made = [unpacked(each, own) for each in value[1:]]
    return tuple(made) if value[0] == "tuple" else made


def unchanged(value: Any, packed: Any) -> bool:
    """Whether an argument that is an array or a leaf is as it was; False where that is not sure."""
    if type(packed) is tuple:
        dtype, shape, data = packed
        return (
            type(value) is np.ndarray
            and value.dtype.str == dtype
            and value.shape == shape
            and value.tobytes() == data
        )
    return type(packed) is not list and type(packed) is not bytes


def same(old: Any, new: Any) -> bool:
    """Whether two plain values are the same, to the bit."""
    if isinstance(old, np.ndarray):
        return (
            isinstance(new, np.ndarray)
            and (old.shape, old.dtype) == (new.shape, new.dtype)
            and old.tobytes() == new.tobytes()
        )
    if type(old) is not type(new):
        return False
    if isinstance(old, list | tuple):
        return len(old) == len(new) and all(map(same, old, new))
    if isinstance(old, dict):
        return list(old) == list(new) and all(same(old[key], new[key]) for key in old)
    return old is new or repr(old) == repr(new)


def questions(asked: Sequence[Question]) -> Any:
    """Give what a frame of questions says."""
    return [(q.op, q.name, q.target, q.args, q.kwargs, q.sets, q.room) for q in asked]


def read(rows: Any) -> list[Question]:
    """Give the questions of such a frame."""
    return [Question(*row) for row in rows]


class Answers:
    """Answers as they are collected for one frame."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._buffers: list[bytes] = []
        self.size = 0

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, value: Any, rest: list[Any], room: int) -> None:
        """Take in one more: the value that was given, and plain JSON about it.

        Raises
        ------
        ProtocolError
            Where no frame can say the value, and nothing was taken in.
        """
        buffers: list[bytes] = []
        try:
            text = wire.ENCODER.encode([wire.Writer(buffers, room).tree(value, 0), *rest])
        except (ValueError, RecursionError) as error:  # an int of more than 4300 digits
            raise wire.ProtocolError("no such value") from error
        if len(text) > wire.MAX_TREE:
            raise wire.ProtocolError("value too large")
        self.size += sum(map(len, buffers)) + len(text)
        self._buffers += buffers
        self._texts.append(text)

    def frame(self, seq: int, noticed: dict[str, Any]) -> bytes:
        """Give the frame of all that was taken in, and what was noticed; and begin anew."""
        tree = f"[[{','.join(self._texts)}],{wire.ENCODER.encode(noticed)}]".encode("ascii")
        raw = b"".join(self._buffers)
        self._texts, self._buffers, self.size = [], [], 0
        return wire.HEADER.pack(wire.MAGIC, SOME, seq, len(tree), len(raw)) + tree + raw


def answers(tree: bytes, raw: bytes) -> tuple[list[list[Any]], Any]:
    """Read a frame of answers: each a plain value and the plain JSON about it; and what
    was noticed.

    Raises
    ------
    ProtocolError
        If the bytes do not say that, exactly.
    """
    found = wire.tree_of(tree)
    if type(found) is not list or len(found) != 2 or type(found[0]) is not list:
        raise wire.ProtocolError("no answers")
    at = 0
    told = []
    for each in found[0]:
        if type(each) is not list or len(each) != 4:
            raise wire.ProtocolError("no answer")
        reader = wire.Reader(raw, at)
        told.append([reader.value(each[0], 0), *each[1:]])
        at = reader.at
    if at != len(raw):
        raise wire.ProtocolError("bytes left over")
    return told, found[1]
