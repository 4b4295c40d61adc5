"""One view of a folder, be it on the disk or in a zip: names, kinds, bytes.

Links are never followed, special files never opened, zips never unpacked to the disk. This module
knows which files are junk, and nothing of students or exercises.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from autograder.archive import MAX_NAME, Archive, ArchiveError, Member

Kind = Literal["folder", "file", "link", "special"]

_JUNK = re.compile(
    r"(__MACOSX|__pycache__|\.(?!\.$).+|desktop\.ini|Thumbs\.db|.*\.py[co]|~\$.*|.*~|nbgrader\.lock|Icon\r)",
    re.IGNORECASE,
)


class Unreadable(Exception):
    """Something that cannot be read: a code under ``[unreadable.*]`` and its slots."""

    def __init__(self, code: str, **slots: str | int) -> None:
        super().__init__(code)
        self.code, self.slots = code, slots


class Node(Protocol):
    """A file or a folder.

    Attributes
    ----------
    name : str
        Its last part.
    kind : {"folder", "file", "link", "special"}
    """

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> Kind: ...

    def children(self) -> list[Node]:
        """Give what a folder holds, by name; raises `Unreadable`."""
        ...

    def read(self, limit: int) -> bytes:
        """Give a file's bytes, at most `limit`; raises `Unreadable`."""
        ...


@dataclass(frozen=True)
class OnDisk:
    """A file or folder on the disk."""

    path: Path
    kind: Kind

    @classmethod
    def at(cls, path: Path) -> OnDisk:
        """Look at `path`, which the user named: here, and only here, a link is followed."""
        real = path.resolve()
        return cls(real, _kind(real.stat().st_mode))

    @property
    def name(self) -> str:
        if os.name != "posix":
            return self.path.name
        # UTF-8 whatever the locale says, so that an id is the same everywhere.
        return os.fsencode(self.path.name).decode("utf-8", "surrogateescape")

    def children(self) -> list[Node]:
        found: list[Node] = []
        try:
            with os.scandir(self.path) as entries:
                for entry in entries:
                    kind = _kind(entry.stat(follow_symlinks=False).st_mode)
                    found.append(OnDisk(self.path / entry.name, kind))
        except OSError as error:
            raise Unreadable("cannot-open", file=self.name, why=_why(error)) from None
        return sorted(found, key=lambda each: each.name)

    def read(self, limit: int) -> bytes:
        # Opened first and looked at then, so that nothing can be put in its place meanwhile.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            number = os.open(self.path, flags | getattr(os, "O_BINARY", 0))
        except OSError as error:
            raise Unreadable("cannot-open", file=self.name, why=_why(error)) from None
        with os.fdopen(number, "rb") as file:
            about = os.fstat(number)
            if not stat.S_ISREG(about.st_mode):
                raise Unreadable("special", file=self.name)
            if about.st_size > limit:
                raise Unreadable("too-big", file=self.name)
            data = file.read(limit + 1)
        if len(data) > limit:
            raise Unreadable("too-big", file=self.name)
        return data


@dataclass
class InZip:
    """A file or folder in a zip."""

    archive: Archive
    name: str
    member: Member | None = None
    inside: dict[str, InZip] = field(default_factory=dict)
    astray: bool = False  # its path leads nowhere, so it stands at the root

    @property
    def kind(self) -> Kind:
        return "folder" if self.member is None else "file"

    def children(self) -> list[Node]:
        return [self.inside[name] for name in sorted(self.inside)]

    def read(self, limit: int) -> bytes:
        if self.member is None:
            raise Unreadable("special", file=self.name)
        try:
            return self.archive.read(self.member, limit)
        except ArchiveError as error:
            raise Unreadable(error.code, **{"file": self.member.name, **error.slots}) from None

    @property
    def problem(self) -> str | None:
        """Why the zip's member must be refused, if it must."""
        return None if self.member is None else self.member.problem


def is_junk(node: Node) -> bool:
    """Whether it is one of the things that systems and editors leave behind."""
    astray = isinstance(node, InZip) and node.astray
    return _JUNK.fullmatch(node.name) is not None and not astray


def open_zip(source: Path | bytes, name: str, most: int) -> InZip:
    """Give a zip's root folder under `name`.

    Raises
    ------
    Unreadable
        Where the zip cannot be listed.
    """
    try:
        archive = Archive(source, most)
    except ArchiveError as error:
        raise Unreadable(error.code, **{"file": name, **error.slots}) from None
    root = InZip(archive, name)
    for folder in archive.folders:
        _descend(root, folder.split("/"))
    for member in archive.members:
        *folders, last = member.name.split("/")
        if member.nowhere and not (member.problem == "zip-name" and _JUNK.fullmatch(last)):
            name = member.name[:MAX_NAME]  # has no place in the tree, and must not be overlooked
            root.inside[f"/{member.place}"] = InZip(archive, name, member, astray=True)
            continue
        inside = _descend(root, folders).inside
        key = f"{last}/{member.place}" if last in inside else last
        inside[key] = InZip(archive, last, member)
    return root


def _descend(root: InZip, folders: list[str]) -> InZip:
    at = root
    for part in folders:
        at = at.inside.setdefault(part + "/", InZip(root.archive, part))
    return at


def _kind(mode: int) -> Kind:
    if stat.S_ISLNK(mode):
        return "link"
    if stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_ISREG(mode) else "special"


def _why(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else type(error).__name__
