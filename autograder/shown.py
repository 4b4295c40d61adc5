"""What one cell of a notebook shows: in order, within bounds, and as plain data for a frame.

This runs inside a worker: standard library and NumPy only. How a cell is run is not known here.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

MAX_TEXT = 2**16  # characters kept of one stream, half from its start and half from its end
MAX_DATA = 2**21  # bytes of one display in one format
MAX_CELL = 2**22  # bytes of everything that one cell shows
MAX_OUTPUTS = 100
CUT = "\n[…]\n"


class Outputs:
    """What one cell shows, in order, within bounds."""

    def __init__(self) -> None:
        self.listed: list[dict[str, Any]] = []
        self._room = MAX_CELL
        self._clear = False

    def begin(self) -> None:
        self.listed, self._room, self._clear = [], MAX_CELL, False

    def clear(self, wait: bool = False) -> None:
        self._clear = wait
        if not wait:
            self.listed = []

    def stream(self, name: str, text: str) -> None:
        self._now()
        last = self.listed[-1] if self.listed else None
        if last is None or last.get("name") != name:
            last = {"output_type": "stream", "name": name, "text": Text()}
            self._add(last)
        last["text"].add(text)

    def data(
        self, kind: str, data: dict[str, Any], metadata: dict[str, Any], count: int | None = None
    ) -> None:
        self._now()
        bundle = {}
        for mime, value in data.items():
            text = value if isinstance(value, str | bytes) else repr(value)
            size = len(text)
            if size <= min(MAX_DATA, self._room):
                self._room -= size
                bundle[str(mime)] = text
        if bundle:
            self._add(
                {"output_type": kind, "data": bundle, "metadata": _sizes(metadata), "count": count}
            )

    def error(self, name: str, value: str, traceback: list[str]) -> None:
        self._now()
        lines = [_kept(line) for line in traceback[-40:]]
        self._add({"output_type": "error", "ename": name, "evalue": _kept(value), "lines": lines})

    def _now(self) -> None:
        if self._clear:
            self.clear()

    def _add(self, output: dict[str, Any]) -> None:
        if len(self.listed) < MAX_OUTPUTS:
            self.listed.append(output)


class Text:
    """A text's beginning and end, however much is added."""

    def __init__(self) -> None:
        self._head, self._tail, self._cut = "", "", False
        self._parts: list[str] = []
        self._size = 0

    def add(self, text: str) -> None:
        room = MAX_TEXT // 2 - len(self._head)
        if room > 0:
            self._head, text = self._head + text[:room], text[room:]
        if text:
            self._parts.append(text[-MAX_TEXT:])
            self._size += len(text)
        if self._size > 2 * MAX_TEXT:
            self._trim()

    def _trim(self) -> None:
        tail = self._tail + "".join(self._parts)
        self._parts, self._size = [], 0
        if len(tail) > MAX_TEXT // 2:
            self._cut, tail = True, tail[-MAX_TEXT // 2 :]
        self._tail = tail

    def __str__(self) -> str:
        self._cut = self._cut or self._size + len(self._tail) > MAX_TEXT // 2
        self._trim()
        return self._head + (CUT if self._cut else "") + self._tail


def _kept(text: str) -> str:
    made = Text()
    made.add(text)
    return str(made)


def _sizes(metadata: Any) -> dict[str, dict[str, int]]:
    """Keep of a display's metadata what a picture needs: its width and height."""
    kept: dict[str, dict[str, int]] = {}
    for mime, about in metadata.items() if isinstance(metadata, dict) else ():
        if isinstance(about, dict):
            sizes = {k: v for k, v in about.items() if k in ("width", "height")}
            kept[str(mime)] = {k: v for k, v in sizes.items() if type(v) is int}
    return {mime: about for mime, about in kept.items() if about}


class Stream(io.TextIOBase):
    """Standard output or error of a cell."""

    encoding = "utf-8"

    def __init__(self, name: str, outputs: Outputs) -> None:
        self.name, self._outputs = name, outputs

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._outputs.stream(self.name, text)
        return len(text)

    def writable(self) -> bool:
        return True


def plain(output: dict[str, Any]) -> dict[str, Any]:
    """Give an output with its texts as bytes, which a frame carries in any length."""
    made = dict(output)
    if "data" in made:
        made["data"] = {mime: _bytes(value) for mime, value in made["data"].items()}
    for name in ("text", "evalue"):
        if name in made:
            made[name] = _bytes(str(made[name]))
    if "lines" in made:
        made["lines"] = _bytes("\n".join(made["lines"]))
    return made


def _bytes(value: str | bytes) -> Any:
    data = value if isinstance(value, bytes) else value.encode("utf-8", "replace")
    return np.frombuffer(data, np.uint8)
