"""The format in which values cross: what it can say, and that no bytes can make it do more."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder import wire

ROOM = 2**20


def there_and_back(value: Any) -> Any:
    return read(wire.encode(wire.VALUE, 7, value))


def read(frame: bytes) -> Any:
    head = wire.head(frame[: wire.HEADER.size], max_raw=ROOM)
    body = frame[wire.HEADER.size :]
    return wire.decode(body[: head.tree], body[head.tree :])


def frame_of(tree: Any, raw: bytes = b"") -> tuple[bytes, bytes]:
    return json.dumps(tree).encode(), raw


def same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return (
            isinstance(other, np.ndarray)
            and (one.dtype, one.shape) == (other.dtype, other.shape)
            and one.tobytes() == other.tobytes()
        )
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    return type(one) is type(other) and repr(one) == repr(other)


VALUES = [
    None,
    True,
    -3,
    2**70,
    1.5,
    float("inf"),
    float("nan"),
    "注意力 → x₀",
    [1, [2.0, (None, "a")]],
    (),
    {"weights": np.eye(2), "n": 3},
    wire.Handle(4),
    [0.1, float("nan"), float("-inf")] * 9,
    tuple(range(-9, 9)),
    [True, False] * 9,
    [True, 1] * 9,
    [1, 1.0] * 9,
    [2**63, *range(20)],
    [[0.5] * 200] * 200,
    {"w": ([[1.5] * 16] * 300, None)},
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:30])
def test_a_value_comes_back_as_it_went(value: Any) -> None:
    assert same(there_and_back(value), value)


@pytest.mark.parametrize("dtype", wire.DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3), (1,) * wire.MAX_NDIM])
@pytest.mark.parametrize("order", ["C", "F", "reversed", "big-endian"])
def test_an_array_comes_back_whatever_its_layout(
    dtype: str, shape: tuple[int, ...], order: str
) -> None:
    array = np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)
    sent = array
    if order == "F":
        sent = np.asfortranarray(array).reshape(shape)
    elif order == "reversed":
        sent = array[::-1][::-1] if shape else array
    elif order == "big-endian":
        sent = array.astype(array.dtype.newbyteorder(">"))
    back = there_and_back(sent)
    assert same(back, array)
    assert back.flags.writeable and back.flags.owndata | (back.base is not None)


def test_an_array_that_came_back_shares_no_memory_with_the_frame() -> None:
    frame = bytearray(wire.encode(wire.VALUE, 1, np.ones(4)))
    back = read(bytes(frame))
    back[:] = 7
    assert read(bytes(frame)).tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "value",
    [
        1j,
        object(),
        {1, 2},
        b"bytes",
        np.array([1j]),
        np.array([None]),
        np.array(["a"]),
        np.array(["2020-01-01"], dtype="M8[D]"),
        np.zeros(1, dtype=[("a", "f8")]),
        np.float64(1.0),
    ],
    ids=lambda value: type(value).__name__ + str(getattr(value, "dtype", "")),
)
def test_other_values_cannot_be_said(value: Any) -> None:
    with pytest.raises(wire.ProtocolError):
        wire.encode(wire.VALUE, 1, value)


def deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        deep(wire.MAX_DEPTH + 1),
        deep(5000),
        [None] * wire.MAX_NODES,
        [[0.5] * 2**10] * 2**10,
        "x" * wire.MAX_TREE,
        10**5000,
        np.broadcast_to(0.0, (2**20, 2**20)),
    ],
    ids=["deep", "very deep", "many", "many in rows", "long", "huge number", "broadcast"],
)
def test_a_value_too_large_is_refused_before_it_is_copied(value: Any) -> None:
    with pytest.raises(wire.ProtocolError):
        wire.encode(wire.VALUE, 1, value)


def header(magic: bytes = wire.MAGIC, tree: int = 0, raw: int = 0) -> bytes:
    return wire.HEADER.pack(magic, wire.VALUE, 1, tree, raw)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        header()[:-1],
        header(magic=b"HTTP"),
        header(tree=wire.MAX_TREE + 1),
        header(raw=ROOM + 1),
        header(raw=2**63),
    ],
    ids=["empty", "short", "other", "large tree", "large raw", "huge raw"],
)
def test_a_bad_header_is_refused(data: bytes) -> None:
    with pytest.raises(wire.ProtocolError):
        wire.head(data, max_raw=ROOM)


BAD_TREES: dict[str, tuple[bytes, bytes]] = {
    "nothing": (b"", b""),
    "no JSON": (b"{", b""),
    "bad UTF-8": (b'"\xff"', b""),
    "deep": (b"[" * 60_000, b""),
    "deep and whole": (b"[" * 30_000 + b"]" * 30_000, b""),
    "bare list": frame_of([1]),
    "two tags": frame_of({"l": [], "t": []}),
    "unknown tag": frame_of({"p": []}),
    "body of another kind": frame_of({"l": "ab"}),
    "pair of three": frame_of({"d": [["a", 1, 2]]}),
    "key that is no text": frame_of({"d": [[1, 2]]}),
    "negative handle": frame_of({"h": -1}),
    "handle that is true": frame_of({"h": True}),
    "object dtype": frame_of({"a": ["|O", [1]]}, bytes(8)),
    "complex dtype": frame_of({"a": ["<c16", [1]]}, bytes(16)),
    "string dtype": frame_of({"a": ["<U100000000", [3]]}),
    "big-endian dtype": frame_of({"a": [">f8", [1]]}, bytes(8)),
    "dtype that is no text": frame_of({"a": [["<f8"], [1]]}, bytes(8)),
    "negative side": frame_of({"a": ["<f8", [-1]]}, bytes(8)),
    "side that is true": frame_of({"a": ["<f8", [True]]}, bytes(8)),
    "side that is no whole number": frame_of({"a": ["<f8", [1.0]]}, bytes(8)),
    "longer than its bytes": frame_of({"a": ["<f8", [2]]}, bytes(8)),
    "shorter than its bytes": frame_of({"a": ["<f8", [1]]}, bytes(16)),
    "far longer": frame_of({"a": ["<f8", [2**30, 2**30]]}),
    "product past 64 bits": frame_of({"a": ["<f8", [2**30, 2**30, 2**30]]}),
    "empty, with sides too large": frame_of({"a": ["<f8", [0, *[2**30] * 15]]}),
    "row of two sides": frame_of({"lr": ["<f8", [1, 1]]}, bytes(8)),
    "row of another dtype": frame_of({"lr": ["<f4", [2]]}, bytes(8)),
    "row longer than its bytes": frame_of({"tr": ["<f8", [2**30]]}, bytes(8)),
    "rows of too many": frame_of({"l": [{"lr": ["|b1", [2**17]]}] * 3}, bytes(3 * 2**17)),
    "17 dimensions": frame_of({"a": ["<f8", [1] * 17]}, bytes(8)),
    "many nodes": frame_of({"l": [0] * 10_001}),
    "many digits": (b"1" * 60_000, b""),
}


@pytest.mark.parametrize("name", BAD_TREES)
def test_a_bad_frame_is_refused_within_little_memory(name: str) -> None:
    tree, raw = BAD_TREES[name]
    tracemalloc.start()
    try:
        with pytest.raises(wire.ProtocolError):
            wire.decode(tree, raw)
        assert tracemalloc.get_traced_memory()[1] < 8 * 2**20
    finally:
        tracemalloc.stop()


def test_a_truth_value_that_is_two_becomes_true() -> None:
    back = wire.decode(*frame_of({"a": ["|b1", [3]]}, b"\x00\x02\xff"))
    assert back.view(np.uint8).tolist() == [0, 1, 1]


def test_a_lone_surrogate_becomes_a_sign_that_can_be_written() -> None:
    assert wire.decode(b'"a\\ud800b"', b"") == "a?b"
    assert there_and_back("a\ud800b") == "a?b"


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_mutant_of_a_frame_does_more_than_be_refused(data: st.DataObject) -> None:
    value = {"a": [1, 2.5, "x", None, (np.arange(6.0).reshape(2, 3), np.array(True))]}
    frame = bytearray(wire.encode(wire.VALUE, 1, value))
    for _ in range(data.draw(st.integers(1, 4))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del frame[data.draw(st.integers(0, len(frame))) :]
    try:
        read(bytes(frame))
    except wire.ProtocolError:
        return


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from("altdhx") | st.text(), inner, max_size=3)
    ),
)


@settings(max_examples=300, deadline=None)
@given(json_values, st.binary(max_size=64))
def test_no_tree_does_more_than_be_refused(tree: Any, raw: bytes) -> None:
    try:
        wire.decode(json.dumps(tree).encode(), raw)
    except wire.ProtocolError:
        return


def test_rows_of_numbers_cross_as_their_bytes() -> None:
    weights = np.random.default_rng(0).normal(size=(256, 256)).tolist()
    frame = wire.encode(wire.VALUE, 1, weights)
    assert len(frame) < 256 * 256 * 8 + wire.MAX_TREE
    assert read(frame) == weights


def test_a_subclass_of_a_number_is_no_number_of_a_row() -> None:
    class Odd(float):
        pass

    with pytest.raises(wire.ProtocolError):
        wire.encode(wire.VALUE, 1, [Odd(1.0)] * 20)
