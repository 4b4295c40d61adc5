"""Look into a zip without trusting it: what it holds, what must be refused, one file's bytes.

Nothing is ever written to the disk. Each member that could do harm carries the code of its
problem, so that in a class's zip only that student's submission is refused; a zip that cannot be
read at all raises. This module knows nothing of students or exercises.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

MAX_MEMBERS = 5_000  # of one student's zip, junk included; a class's zip may hold more
MAX_CLASS_MEMBERS = 200_000
MAX_DEPTH = 20
MAX_NAME = 255  # of one part of a path, in letters: as on a disk
MAX_RATIO = 200  # source code packs 3 to 20 times
RATIO_FREE = 2**20  # bytes below which the ratio does not matter
_DIRECTORY_ENTRY = 1_000  # bytes of the zip's own table that one member may take, on average
_BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BROKEN = (
    zipfile.BadZipFile,
    NotImplementedError,  # a compression that `zipfile` does not know
    RuntimeError,  # encrypted
    EOFError,
    OSError,
    ValueError,  # also UnicodeError
    OverflowError,
    struct.error,
    zlib.error,
)


class ArchiveError(Exception):
    """A zip, or a file in it, that is refused: a code under ``[unreadable.*]`` and its slots."""

    def __init__(self, code: str, **slots: str | int) -> None:
        super().__init__(code)
        self.code, self.slots = code, slots


@dataclass(frozen=True)
class Member:
    """One file in a zip.

    Attributes
    ----------
    name : str
        As the zip gives it, parted by ``/``.
    size : int
        Bytes when unpacked, as declared.
    problem : str or None
        Why it is refused: ``zip-path zip-link zip-name zip-bomb zip-encrypted zip-method
        zip-duplicate too-deep-folders``.
    place : int
        Its number in the zip.
    time : tuple of int
        When it was last changed, local to whoever zipped it: year to second.
    """

    name: str
    size: int
    problem: str | None
    place: int
    time: tuple[int, ...] = ()

    @property
    def nowhere(self) -> bool:
        """Whether its path cannot be followed."""
        return self.problem in ("zip-path", "zip-name", "too-deep-folders")


class Archive:
    """A zip file, opened and inspected.

    Parameters
    ----------
    source : Path or bytes
    most : int
        How many members it may have.

    Attributes
    ----------
    members : list of Member
        All files, in the order of the zip.
    folders : list of str
        Folders that the zip names by themselves, perhaps empty ones.

    Raises
    ------
    ArchiveError
        ``zip-damaged``, ``zip-many``.
    """

    def __init__(self, source: Path | bytes, most: int = MAX_MEMBERS) -> None:
        try:
            with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
                _refuse_long_table(file, most)
            self._zip = zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source)
        except _BROKEN:
            raise ArchiveError("zip-damaged") from None
        self._infos = self._zip.infolist()
        if len(self._infos) > most:
            raise ArchiveError("zip-many", count=len(self._infos))
        overlapping = _overlapping(self._infos)
        seen: dict[str, int] = {}
        self.members: list[Member] = []
        self.folders: list[str] = []
        for place, info in enumerate(self._infos):
            if info.filename.endswith("/") and _name_problem(info) is None:
                self.folders.append(info.filename.removesuffix("/"))
                continue
            problem = _problem(info) or ("zip-bomb" if place in overlapping else None)
            key = unicodedata.normalize("NFC", info.filename).casefold()
            if key in seen:
                problem = problem or "zip-duplicate"
            seen[key] = place
            self.members.append(
                Member(info.filename, info.file_size, problem, place, info.date_time)
            )

    def read(self, member: Member, limit: int) -> bytes:
        """Give a member's bytes, unpacked in memory.

        Raises
        ------
        ArchiveError
            The member's problem; ``too-big`` above `limit` bytes; ``zip-damaged`` where the bytes
            are not what the zip says.
        """
        if member.problem:
            raise ArchiveError(member.problem)
        if member.size > limit:
            raise ArchiveError("too-big")
        try:
            with self._zip.open(self._infos[member.place]) as file:
                data = file.read(limit + 1)
        except _BROKEN:
            raise ArchiveError("zip-damaged") from None
        if len(data) != member.size:
            raise ArchiveError("zip-damaged")
        return data


def _refuse_long_table(file: io.BufferedReader | io.BytesIO, most: int) -> None:
    """Refuse by the zip's last record what would take long to list."""
    end = file.seek(0, io.SEEK_END)
    file.seek(max(0, end - 65_557))
    tail = file.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) - at < 22:
        raise ArchiveError("zip-damaged")
    count, table = struct.unpack_from("<HL", tail, at + 10)
    if most < 65_535 and tail[at - 20 : at - 16] == b"PK\6\7":
        raise ArchiveError("zip-many", count=65_535)  # zip64, which no student needs
    if most < 65_535 and (count > most or table > most * _DIRECTORY_ENTRY):
        raise ArchiveError("zip-many", count=count)


def unsafe_name(name: str) -> bool:
    """Whether a name holds signs that could deceive whoever reads it."""
    return any(unicodedata.category(c) in ("Cc", "Cs") or c in _BIDI for c in name)


def _name_problem(info: zipfile.ZipInfo) -> str | None:
    name = info.orig_filename  # `filename` is cut at a NUL
    if unsafe_name(name):
        return "zip-name"
    if "\\" in name or name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "zip-path"
    parts = name.removesuffix("/").split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "zip-path"
    if max(map(len, parts)) > MAX_NAME:
        return "zip-name"
    return "too-deep-folders" if len(parts) > MAX_DEPTH else None


def _problem(info: zipfile.ZipInfo) -> str | None:
    if problem := _name_problem(info):
        return problem
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "zip-link"
    if info.flag_bits & 0x41:
        return "zip-encrypted"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "zip-method"
    if info.file_size > RATIO_FREE and info.file_size > MAX_RATIO * info.compress_size:
        return "zip-bomb"
    return None


def _overlapping(infos: list[zipfile.ZipInfo]) -> set[int]:
    """Give the members whose bytes also belong to another one."""
    order = sorted(range(len(infos)), key=lambda place: infos[place].header_offset)
    found: set[int] = set()
    reach, holder = -1, -1
    for place in order:
        info = infos[place]
        if info.header_offset < reach:
            found |= {place, holder}
        end = info.header_offset + 30 + len(info.orig_filename) + info.compress_size
        if end > reach:
            reach, holder = end, place
    return found
