"""Keeps in memory what a submission's code writes, where a worker has no disk.

At home ``np.save("w.npy", W)`` above a right function works, so it must not end the file here.
A file that is written is kept until the process ends, and is found again by its path; a folder
is made of nothing. The submission's own files can be read by their names. This is no barrier:
the system still refuses every write, whoever goes round the functions below.

This runs inside the worker: standard library only.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

MAX_TOLD = 4  # lines of which is told that they write


class Paper(io.BytesIO):
    """An open file of the drawer; what was in it stays once it is closed."""

    def __init__(self, path: object, mode: str, data: bytes = b"") -> None:
        super().__init__(data)
        self.name, self._mode, self._kept = path, mode, data
        if "a" in mode:
            self.seek(0, io.SEEK_END)

    @property
    def mode(self) -> str:
        return self._mode

    def close(self) -> None:
        if not self.closed:
            self._kept = self.getvalue()
        super().close()

    @property
    def held(self) -> bytes:
        """What is in it by now."""
        return self._kept if self.closed else self.getvalue()


class Drawer:
    """Stands in for the functions that write files, in one process.

    Parameters
    ----------
    places : mapping
        What the submission's code is called where it runs, to the first line of it in its file.
    own : mapping
        The submission's files, by name.

    Attributes
    ----------
    told : list of (str, int)
        Place and line of the first lines that wrote something.
    """

    def __init__(self, places: Mapping[str, int], own: Mapping[str, bytes]) -> None:
        self.told: list[tuple[str, int]] = []
        self._places = places
        self._own = {os.path.normpath(name): data for name, data in own.items()}
        self._papers: dict[str, Paper] = {}

    def stand_in(self) -> None:
        """Take the place of `open` and of what makes and removes files."""
        self._open, self._remove, self._rename = io.open, os.remove, os.replace
        self._mkdir, self._chdir = os.mkdir, os.chdir
        for module, name, function in (
            (builtins, "open", lambda *args, **more: self.open(*args, **more)),
            (io, "open", lambda *args, **more: self.open(*args, **more)),
            (os, "mkdir", lambda *args, **more: self.mkdir(*args, **more)),
            (os, "chdir", lambda path: self.chdir(path)),
            (os, "remove", lambda *args, **more: self.remove(*args, **more)),
            (os, "unlink", lambda *args, **more: self.remove(*args, **more)),
            (os, "rename", lambda *args, **more: self.rename(*args, **more)),
            (os, "replace", lambda *args, **more: self.rename(*args, **more)),
        ):
            setattr(module, name, function)

    def open(
        self,
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Callable[[str, int], int] | None = None,
    ) -> Any:
        """Open a file that is kept here, or is written; else the real one."""
        key, kind = _key(file), set(mode) if type(mode) is str else set()
        texts = (encoding, errors, newline) != (None, None, None)
        odd = opener is not None or ("b" in kind and texts)
        known = key in self._papers or key in self._own
        if odd or not key or not _means(mode) or (not known and "r" in kind):
            return self._open(file, mode, buffering, encoding, errors, newline, closefd, opener)
        if known and "x" in kind:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), file)
        paper = Paper(file, mode, b"" if kind & set("wx") else self._in(key))
        if kind & set("wax+"):
            self._papers[key] = paper
            self._tell()
        if "b" in kind:
            return paper
        text = io.TextIOWrapper(paper, encoding, errors, newline, line_buffering=buffering == 1)
        text.mode = mode  # type: ignore[misc]
        return text

    def mkdir(self, path: Any, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        """Make no folder: files are found by their whole path."""
        if not _key(path):
            self._mkdir(path, mode, dir_fd=dir_fd)
        self._tell()

    def chdir(self, path: Any) -> None:
        """Stay: every file that is asked for by a relative path is of one folder."""
        if not _key(path):
            self._chdir(path)

    def remove(self, path: Any, *, dir_fd: int | None = None) -> None:
        """Take a file out."""
        if self._papers.pop(_key(path), None) is None:
            os.stat(path)  # noqa: PTH116 - a file that is not there is told as such
            self._remove(path, dir_fd=dir_fd)

    def rename(self, src: Any, dst: Any, **kwargs: Any) -> None:
        """Give a file another name."""
        paper = self._papers.pop(_key(src), None)
        if paper is None:
            os.stat(src)  # noqa: PTH116
            self._rename(src, dst, **kwargs)
        else:
            self._papers[_key(dst)] = paper

    def _in(self, key: str) -> bytes:
        paper = self._papers.get(key)
        return paper.held if paper is not None else bytes(self._own.get(key, b""))

    def _tell(self) -> None:
        """Note the line of the submission that is writing."""
        step: Any = sys._getframe(1)
        while step is not None and step.f_code.co_filename not in self._places:
            step = step.f_back
        if step is not None and len(self.told) < MAX_TOLD:
            place = step.f_code.co_filename
            line = (place, step.f_lineno + self._places[place] - 1)
            if line not in self.told:
                self.told.append(line)


def _means(mode: Any) -> bool:
    """Whether a mode is one that `open` takes; it says of others what is wrong with them."""
    letters = set(mode) if type(mode) is str else set()
    one = len(letters & set("rwax")) == 1 and not letters >= set("bt")
    return one and letters <= set("rwaxbt+") and len(letters) == len(mode)


def _key(path: Any) -> str:
    """Give the name by which a file is kept; "" for what is no path, or of another folder."""
    here = os.getcwd()  # noqa: PTH109
    try:
        name = os.fsdecode(path)
        inside = os.path.relpath(name, here)
    except (TypeError, ValueError):
        return ""
    if os.path.isabs(name):  # noqa: PTH117
        first = inside.partition(os.sep)[0]
        there = os.path.lexists(os.path.join(here, first))  # noqa: PTH118
        if first == os.pardir or (there and first != os.curdir):
            return ""
    return inside


__all__ = ["Drawer"]
