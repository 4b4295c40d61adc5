"""Frozen dataclasses to and from strict JSON by their annotations, and files written whole.

Knows no particular record: only text, numbers, literals, optional values, tuples, nested records
and free-form trees. NaN and infinity have no place in JSON and are refused both ways.
"""

from __future__ import annotations

import json
import math
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, TypeVar, get_args, get_origin, get_type_hints

from autograder import leftovers

Record = TypeVar("Record")
LEFT_OUT = {"left_out_when_empty": True}  # field metadata: absent from the JSON where empty


class RecordError(ValueError):
    """JSON that is not the record it should be; the message says where."""


_PLANS: dict[Any, tuple[tuple[str, Any, bool], ...]] = {}  # resolving hints is slow: once a class


def _plan(kind: Any) -> tuple[tuple[str, Any, bool], ...]:
    if kind not in _PLANS:
        hints = get_type_hints(kind)
        _PLANS[kind] = tuple(
            (each.name, hints[each.name], "left_out_when_empty" in each.metadata)
            for each in fields(kind)
        )
    return _PLANS[kind]


def tree(record: Any) -> dict[str, Any]:
    """Give a record as a tree that `json` can write, keys in the order of its fields."""
    said: dict[str, Any] = {}
    for name, hint, left_out in _plan(type(record)):
        value = getattr(record, name)
        if left_out and not value and value != 0:
            continue
        if isinstance(value, tuple):
            said[name] = [tree(each) if is_dataclass(each) else each for each in value]
        elif isinstance(value, int) and float in (hint, *get_args(hint)):
            said[name] = float(value)
        else:
            said[name] = value
    return said


def read(kind: type[Record], found: Any, where: str = "") -> Record:
    """Read a record from a tree; keys that it does not know are passed over.

    Raises
    ------
    RecordError
        Where a key is missing or its value is of another kind.
    """
    where = where or kind.__name__
    if not isinstance(found, Mapping):
        raise RecordError(f"{where} is no object")
    given: dict[str, Any] = {}
    for name, hint, left_out in _plan(kind):
        if name in found:
            given[name] = _value(hint, found[name], f"{where}.{name}")
        elif not left_out:
            raise RecordError(f"{where} has no {name!r}")
    return kind(**given)


def _value(hint: Any, value: Any, where: str) -> Any:
    origin = get_origin(hint)
    if origin is UnionType:
        if value is None and NoneType in get_args(hint):
            return None
        return _value(next(each for each in get_args(hint) if each is not NoneType), value, where)
    if origin is Literal:
        if value in get_args(hint):
            return value
        raise RecordError(f"{where} is {value!r}, not one of {', '.join(get_args(hint))}")
    if origin is tuple and isinstance(value, list):
        part = get_args(hint)[0]
        return tuple(_value(part, each, f"{where}[{i}]") for i, each in enumerate(value))
    if is_dataclass(hint) and isinstance(hint, type):
        return read(hint, value, where)
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return _finite(float(value), where)
    if hint is int and isinstance(value, int) and not isinstance(value, bool):
        return value
    if (hint is str and isinstance(value, str)) or (origin is dict and isinstance(value, dict)):
        return value
    raise RecordError(f"{where} is of another kind: {type(value).__name__}")


def _finite(value: float, where: str) -> float:
    if not math.isfinite(value):
        raise RecordError(f"{where} is {value}, which is no score")
    return value


def dumps(found: Any, indent: int | None = 1) -> bytes:
    """Write a tree as UTF-8 JSON; a file name's odd bytes become JSON's own escapes.

    Raises
    ------
    ValueError
        Where it holds NaN or infinity.
    """
    text = json.dumps(found, ensure_ascii=False, allow_nan=False, indent=indent)
    # A lone surrogate becomes \udcff, which inside a JSON string is what it should be.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def by_line(found: Mapping[str, Any], key: str, items: Iterable[Any]) -> Iterator[bytes]:
    """Write a tree as `dumps` does, with `items` as the list under `key`, each on its own line.

    For people, `grep` and `diff`; and with an indent, the standard library would leave its fast
    encoder for one ten times slower. It comes in parts, so that no more than one of the items
    need be there as a tree.
    """
    start = b"{"
    for name, value in found.items():
        yield start + dumps(name, indent=None).rstrip() + b": "
        start = b",\n"
        if name == key:
            between = b"[\n"
            for each in items:
                yield between + dumps(each, indent=None).rstrip()
                between = b",\n"
            yield b"\n]" if between != b"[\n" else b"[\n\n]"
        else:
            yield dumps(value, indent=None).rstrip()
    yield b"}\n"


def loads(data: bytes) -> Any:
    """Read strict JSON.

    Raises
    ------
    RecordError
        Where it is none, or holds NaN or infinity.
    """
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"not JSON: {error}") from error


def _no_constant(name: str) -> NoReturn:
    raise RecordError(f"{name} has no place in JSON")


def write_whole(path: Path, data: bytes | Iterable[bytes], *, durable: bool = True) -> None:
    """Write a file so that a reader finds the old one or the new one, never a part.

    Parameters
    ----------
    data : bytes or iterable of bytes
        The whole, or its parts; an error of theirs leaves the old file as well.
    durable : bool
        The new bytes are on disk under another name before they take the old file's place, so
        that the promise holds when the machine stops too. Slow; not for what can be made again.

    Raises
    ------
    OSError
        Then the old file stays, and nothing is left beside it.
    """
    with told_as(path):
        if _is_device(path):  # such as /dev/stdout, which a file must not take the place of
            with path.open("wb") as file:
                file.writelines([data] if isinstance(data, bytes) else data)
        else:
            _write_whole(path, data, durable)


@contextmanager
def told_as(path: Path) -> Iterator[None]:
    """Have an error name the file that was asked for, not what it was written as, or none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _write_whole(path: Path, data: bytes | Iterable[bytes], durable: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:60]}.", suffix=".new", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            leftovers.hold(file.fileno())
            file.writelines([data] if isinstance(data, bytes) else data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        Path(name).chmod(_mode(path))
        Path(name).replace(path)
    except BaseException:  # an interrupt must not leave a part beside the old file either
        with suppress(OSError):
            Path(name).unlink()
        raise
    if durable and os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _is_device(path: Path) -> bool:
    """Whether a path leads to something that takes bytes and is no file: a terminal, a pipe.

    What /dev/stdout leads to may be a file, and is one that somebody writes to already.
    """
    if path.parent.as_posix() in ("/dev", "/dev/fd", "/proc/self/fd"):
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def clear(folder: Path) -> None:
    """Remove the parts that a killed run left in a folder; those being written stay."""
    leftovers.sweep(folder, ".*.new")


def _mode(path: Path) -> int:
    """Give the permissions of the file that is replaced, else those of any new file."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
