"""The bounded format in which plain values cross between grading process and worker.

A frame from the worker is a 24-byte header, a small JSON tree and the raw bytes of its arrays.
It can say numbers, strings, truth values, None, lists, tuples, dicts, arrays of an allow-listed
dtype and the number of an object that stays in the worker. It cannot say a verdict, a type or
code. Decoding trusts nothing: whatever the bytes are, it gives a plain value or a
`ProtocolError`, in memory bounded by what came.

What goes to the worker comes from the side that is trusted: a header and marshalled plain values,
which the same interpreter reads on both sides. This module knows nothing of exercises, graders or
processes, and is loaded on both sides: standard library and NumPy only.
"""

from __future__ import annotations

import json
import marshal
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

HEADER = struct.Struct("<4sBxxxIIQ")  # magic, kind, sequence number, JSON bytes, raw bytes
MAGIC = b"ATN1"
MAX_TREE = 64 * 1024  # bytes of JSON
MAX_NODES = 10_000
MAX_DEPTH = 16
MAX_NDIM = 16
MAX_SIDE = 2**31
ROW = 16  # numbers of one kind in a list or tuple, from which on they cross as bytes
MAX_IN_ROWS = 2**18  # numbers in all rows of one value
ROWS = {float: "<f8", int: "<i8", bool: "|b1"}

OPEN, PREPARE, ASK, CANARY = 1, 2, 3, 4  # grading process → worker
VALUE, ERROR, RUNNING, ENDLESS = 16, 17, 18, 20  # worker → grading process

DTYPES = {
    text: np.dtype(text)
    for text in ("|b1", "|i1", "|u1", *(f"<{kind}{n}" for kind in "iu" for n in (2, 4, 8)))
} | {text: np.dtype(text) for text in ("<f2", "<f4", "<f8")}


# A tree that holds itself is stopped by its depth before it comes here.
ENCODER = json.JSONEncoder(separators=(",", ":"), check_circular=False)


class ProtocolError(Exception):
    """Bytes that are no frame, or a value that no frame can say."""


@dataclass(frozen=True)
class Handle:
    """An object that stays in the worker, by number."""

    number: int


@dataclass(frozen=True)
class Head:
    """A frame's header: what follows it, and how many bytes."""

    kind: int
    seq: int
    tree: int
    raw: int


def head(data: bytes, *, max_tree: int = MAX_TREE, max_raw: int) -> Head:
    """Read a header.

    Raises
    ------
    ProtocolError
        If it is no header, or announces more than the bounds.
    """
    if len(data) != HEADER.size:
        raise ProtocolError("short header")
    magic, kind, seq, tree, raw = HEADER.unpack(data)
    if magic != MAGIC:
        raise ProtocolError("no header")
    if tree > max_tree or raw > max_raw:
        raise ProtocolError("frame too large")
    return Head(kind, seq, tree, raw)


def encode(kind: int, seq: int, value: Any, *, max_raw: int = 2**31) -> bytes:
    """Make the frame that says `value`.

    Raises
    ------
    ProtocolError
        If the value is of another kind, or too large or too deep.
    """
    buffers: list[bytes] = []
    writer = Writer(buffers, max_raw)
    try:
        tree = ENCODER.encode(writer.tree(value, 0)).encode("ascii")
    except (ValueError, RecursionError) as error:  # an int of more than 4300 digits
        raise ProtocolError("no such value") from error
    if len(tree) > MAX_TREE:
        raise ProtocolError("value too large")
    raw = b"".join(buffers)
    return HEADER.pack(MAGIC, kind, seq, len(tree), len(raw)) + tree + raw


def order(kind: int, seq: int, value: Any) -> bytes:
    """Make the frame that tells a worker something: numbers, texts, bytes and containers of them.

    Raises
    ------
    ProtocolError
        If the value holds anything else.
    """
    try:
        raw = marshal.dumps(value)
    except ValueError as error:
        raise ProtocolError("no such value") from error
    return HEADER.pack(MAGIC, kind, seq, 0, len(raw)) + raw


def ordered(read: Callable[[int], bytes]) -> tuple[int, int, Any]:
    """Read such a frame, inside the worker; give its kind, its number and what it says."""
    _, kind, seq, _, raw = HEADER.unpack(read(HEADER.size))
    return kind, seq, marshal.loads(read(raw))


def writable(text: str) -> str:
    """Give the text with a question mark for each lone surrogate."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


class Writer:
    """Turns a value into the tree, array bytes aside; counts nodes."""

    def __init__(self, buffers: list[bytes], room: int) -> None:
        self.buffers, self.room = buffers, room
        self.nodes = self.numbers = 0

    def tree(self, value: Any, depth: int) -> Any:
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH:
            raise ProtocolError("value too large")
        kind = type(value)
        if value is None or kind in (bool, int, float):
            return value
        if kind is str:
            return writable(value)
        if kind is np.ndarray:
            return self._array(value)
        if kind is list or kind is tuple:
            if len(value) >= ROW and (row := self._row(value)) is not None:
                return row
            return {kind.__name__[0]: [self.tree(each, depth + 1) for each in value]}
        if kind is dict:
            return {"d": [[str(k), self.tree(each, depth + 1)] for k, each in value.items()]}
        if isinstance(value, Handle):
            return {"h": int(value.number)}
        raise ProtocolError("no such value")

    def _row(self, value: list[Any] | tuple[Any, ...]) -> Any:
        """Give many numbers of one kind, as weights that are kept in nested lists have them."""
        kind = type(value[0])
        if kind not in ROWS or any(type(each) is not kind for each in value):
            return None
        try:
            numbers = np.array(value, ROWS[kind])
        except OverflowError:  # an int of more than 64 bits
            return None
        self.numbers += len(value)
        if self.numbers > MAX_IN_ROWS:
            raise ProtocolError("value too large")
        return {f"{type(value).__name__[0]}r": self._array(numbers)["a"]}

    def _array(self, value: np.ndarray[Any, Any]) -> Any:
        dtype = little(value)
        if value.ndim > MAX_NDIM:
            raise ProtocolError("no such array")
        self.room -= value.nbytes  # before anything is copied: a broadcast array can be huge
        if self.room < 0:
            raise ProtocolError("value too large")
        self.buffers.append(np.asarray(value, dtype=dtype).tobytes())
        return {"a": [dtype, list(value.shape)]}


def little(value: np.ndarray[Any, Any]) -> str:
    """Give the name of the dtype in which an array crosses.

    Raises
    ------
    ProtocolError
        If it is none of those that do.
    """
    dtype = str(value.dtype.newbyteorder("<").str)
    if dtype not in DTYPES:
        raise ProtocolError("no such array")
    return dtype


def decode(tree: bytes, raw: bytes) -> Any:
    """Read a frame's value, copied out of the bytes.

    Raises
    ------
    ProtocolError
        If the bytes do not say a value, exactly.
    """
    reader = Reader(raw)
    value = reader.value(tree_of(tree), 0)
    if reader.at != len(raw):
        raise ProtocolError("bytes left over")
    return value


def tree_of(data: bytes) -> Any:
    """Read JSON.

    Raises
    ------
    ProtocolError
        If it is none.
    """
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise ProtocolError("no tree") from None


class Reader:
    """Turns the tree back into a value; `at` is the place in the raw bytes."""

    def __init__(self, raw: bytes, at: int = 0) -> None:
        self.raw = raw
        self.at = at
        self.nodes = self.numbers = 0

    def value(self, tree: Any, depth: int) -> Any:
        self.nodes += 1
        if self.nodes > MAX_NODES or depth > MAX_DEPTH:
            raise ProtocolError("value too large")
        if tree is None or type(tree) in (bool, int, float):
            return tree
        if type(tree) is str:
            return writable(tree)
        if type(tree) is not dict or len(tree) != 1:
            raise ProtocolError("no such value")
        [(tag, body)] = tree.items()
        if tag == "h":
            if type(body) is not int or not 0 <= body < MAX_SIDE:
                raise ProtocolError("no such object")
            return Handle(body)
        if type(body) is not list:
            raise ProtocolError("no such value")
        if tag == "a":
            return self._array(body)
        if tag in ("lr", "tr"):
            return self._row(body, list if tag == "lr" else tuple)
        if tag == "l":
            return [self.value(each, depth + 1) for each in body]
        if tag == "t":
            return tuple(self.value(each, depth + 1) for each in body)
        if tag == "d":
            return self._dict(body, depth)
        raise ProtocolError("no such value")

    def _row(self, body: list[Any], kind: type[Any]) -> Any:
        numbers = self._array(body)
        self.numbers += numbers.size
        if numbers.ndim != 1 or body[0] not in ROWS.values() or self.numbers > MAX_IN_ROWS:
            raise ProtocolError("no such row")
        return kind(numbers.tolist())

    def _dict(self, body: list[Any], depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for pair in body:
            if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not str:
                raise ProtocolError("no such value")
            found[writable(pair[0])] = self.value(pair[1], depth + 1)
        return found

    def _array(self, body: list[Any]) -> np.ndarray[Any, Any]:
        if len(body) != 2 or type(body[0]) is not str or type(body[1]) is not list:
            raise ProtocolError("no such array")
        dtype, shape = DTYPES.get(body[0]), body[1]
        if dtype is None or len(shape) > MAX_NDIM:
            raise ProtocolError("no such array")
        if not all(type(side) is int and 0 <= side < MAX_SIDE for side in shape):
            raise ProtocolError("no such array")
        size = math.prod(shape) * dtype.itemsize
        if size > len(self.raw) - self.at:
            raise ProtocolError("array longer than its bytes")
        part = self.raw[self.at : self.at + size]
        self.at += size
        try:
            flat: np.ndarray[Any, Any] = np.frombuffer(part, dtype).copy()
            if dtype.kind == "b":  # any byte but 0 is true: a bool that is 2 could lie
                flat = np.frombuffer(part, np.uint8) != 0
            return flat.reshape(shape)
        except ValueError:  # an empty array of sides too large to multiply
            raise ProtocolError("no such array") from None
