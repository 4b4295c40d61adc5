"""Read what one student handed in: which files count, under which names, as bytes.

This side is trusted: it never parses what students wrote, and hands the bytes on to a worker.
Whatever it cannot read, or must refuse, becomes an unreadable submission with its reason. How
submissions are told apart is not known here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal

from autograder import quizslip
from autograder.archive import MAX_MEMBERS
from autograder.folder import InZip, Node, Unreadable, is_junk, open_zip
from autograder.naming import Named, named, shown, version

SLIP = "handin.json"  # what `attn pack` lays beside the files
MAX_SLIP = 64 * 2**10  # bytes
MAX_FILE = 20 * 2**20  # bytes: a notebook with its pictures
MAX_TOTAL = 40 * 2**20
MAX_FILES = 200
MAX_DEPTH = 12
_BUNDLE = (
    "README.md",
    "LICENSE",
    "test_exercises.py",
    "timestamp.txt",
    "submission_secret.txt",
)  # handed out, or nbgrader's
_QUIET = (*_BUNDLE, ".whl", ".json", ".npz", ".toml")
_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")

Notice = tuple[str, Mapping[str, str | int]]


@dataclass(frozen=True)
class Submission:
    """What one student handed in.

    Attributes
    ----------
    id : str
    files : tuple of (str, bytes)
        Names as the kit calls them, the ones that count first at the front: exercises in course
        order, ``attention.ipynb``, other notebooks, other ``.py`` files.
    shown : tuple of str
        Where each file was found, fit for a report.
    status : {"ok", "unreadable", "empty"}
    reason : (str, dict) or None
        A code under ``[unreadable.*]`` and its slots.
    notices : tuple of (str, dict)
        Codes under ``[notice.*]`` and their slots.
    packed : bool
        Whether it comes from `attn pack`, so that its student holds a receipt.
    quiz : dict
        Question to first answer, where its slip or a file beside it holds any.
    """

    id: str
    files: tuple[tuple[str, bytes], ...] = ()
    shown: tuple[str, ...] = ()
    status: Literal["ok", "unreadable", "empty"] = "ok"
    reason: Notice | None = None
    notices: tuple[Notice, ...] = ()
    packed: bool = False
    quiz: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Item:
    """One file of a submission: where, what it is called in the kit, how it is read."""

    folders: tuple[str, ...]
    name: str
    node: Node
    shown: str
    named: Named | None


@dataclass
class Found:
    """A submission that was found and not yet read.

    Attributes
    ----------
    id : str
    exercises : sequence of str
    roots : list of (str, Node, str)
        Each file or folder of it: its name, itself, and its path for a report.
    notices : list of (str, dict)
        What is already known about it.
    refused : Unreadable or None
        Why it must not be read at all.
    key : str
        Tells students of the same id apart, where their platform does.
    attempt : str
        When it was handed in, where the platform says so: ``2026-01-02-03-04-05``.
    """

    id: str
    exercises: Sequence[str]
    roots: list[tuple[str, Node, str]] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    refused: Unreadable | None = None
    key: str = ""
    attempt: str = ""
    _packed: bool = False
    _quiz: Mapping[str, str] = field(default_factory=dict)

    def read(self) -> Submission:
        """Read the bytes, within limits; what cannot be read becomes a status, not an exception."""
        notices = list(self.notices)
        try:
            if self.refused:
                raise self.refused
            items = self._items(notices)
            chosen = _chosen(items, self.exercises, notices)
            files = tuple(_contents(chosen))
        except Unreadable as error:
            reason = (error.code, error.slots)
            return Submission(self.id, (), (), "unreadable", reason, tuple(notices))
        paths = tuple(item.shown for item in chosen)
        if not files:
            return Submission(self.id, (), (), "empty", ("empty", {}), tuple(notices))
        return Submission(
            self.id, files, paths, notices=tuple(notices), packed=self._packed, quiz=self._quiz
        )

    def _items(self, notices: list[Notice]) -> list[_Item]:
        walk = _Walk(self.exercises)
        for name, node, where in self.roots:
            walk.visit(name, node, (), where)
        items = [item for item in walk.items if item.named]
        zips = [item for item in walk.items if item.name.lower().endswith(".zip")]
        others = [item for item in walk.items if not item.named and item not in zips]
        if zips and not items:
            last = max(zips, key=lambda item: (version(item.name)[1], item.name))
            if len(zips) > 1:
                names = listed(item.shown for item in zips)
                notices.append(("several-zips", {"files": names, "counts": last.shown}))
            inner = _Walk(self.exercises, walk.junk)
            root = open_zip(last.node.read(MAX_TOTAL), last.shown, MAX_MEMBERS)
            inner.visit("", root, (), last.shown)
            items = [item for item in inner.items if item.named]
            others += [item for item in inner.items if not item.named]
        elif zips:
            notices.append(("zip-beside", {"files": listed(item.shown for item in zips)}))
        if walk.junk:
            notices.append(("junk", {"files": listed(walk.junk)}))
        slips = [item for item in others if item.name == SLIP]
        self._packed = bool(slips)
        for item in slips[:1]:
            with suppress(Unreadable):  # without it, the quiz is not counted, and nothing else
                self._quiz = quizslip.read(item.node.read(MAX_SLIP))
        kept = [item for item in others if item.name == quizslip.RECORD]
        for item in sorted(kept, key=lambda item: len(item.folders))[: not self._quiz]:
            with suppress(Unreadable):
                self._quiz = quizslip.read_record(item.node.read(quizslip.LARGEST))
        others = [item for item in others if not _is_handed_out(item)]
        if others and not items:
            packed = [item for item in others if item.name.lower().endswith((".zip", *_ARCHIVES))]
            code = "other-archive" if packed else "no-python"
            raise Unreadable(code, files=listed(item.shown for item in packed or others))
        if others:
            notices.append(("not-python", {"files": listed(item.shown for item in others)}))
        return items


def _is_handed_out(item: _Item) -> bool:
    """Say whether it is of the students' zip, or written by a tool: nobody needs to be told."""
    prompt = item.folders[-1:] == ("prompts",) and item.name.endswith(".md")
    return prompt or item.name.endswith(_QUIET)


class _Walk:
    """Collects the files below a folder, junk apart, within limits."""

    def __init__(self, exercises: Sequence[str], junk: list[str] | None = None) -> None:
        self.items: list[_Item] = []
        self.junk: list[str] = [] if junk is None else junk
        self._exercises, self._steps = exercises, 0

    def visit(self, name: str, node: Node, folders: tuple[str, ...], where: str) -> None:
        self._steps += 1
        if isinstance(node, InZip) and node.problem:
            raise Unreadable(node.problem, file=where)
        if node.kind == "folder":
            if len(folders) > MAX_DEPTH:
                raise Unreadable("too-deep-folders", file=where)
            inside = (*folders, name) if name else folders
            children = node.children()
            if any(child.name == "pyvenv.cfg" for child in children):
                self.junk.append(where)  # a virtual environment: thousands of files
                return
            for child in children:
                below = f"{where}/{shown(child.name)}"
                if is_junk(child):
                    self.junk.append(below)
                else:
                    self.visit(child.name, child, inside, below)
        elif node.kind != "file":
            raise Unreadable(node.kind, file=where)
        else:
            self.items.append(_Item(folders, name, node, where, named(name, self._exercises)))
        if len(self.items) > MAX_FILES or self._steps > MAX_MEMBERS:
            raise Unreadable("too-many-files", count=MAX_FILES)


def _chosen(items: list[_Item], exercises: Sequence[str], notices: list[Notice]) -> list[_Item]:
    """Give the files that count, each under the kit's name, those that win first."""
    items = [item for item in _unwrapped(items) if item.name not in _BUNDLE]
    items = _one_folder_of(items, notices)
    taken: dict[str, _Item] = {}
    for item in sorted(items, key=_precedence):
        assert item.named is not None
        name = item.named.name
        if not item.named.known:
            name = shown("/".join((*item.folders, name)))  # names cross to the worker as text
        if name in taken:
            slots: dict[str, str | int] = {"file": item.shown, "counts": taken[name].shown}
            notices.append(("file-twice", slots))
        else:
            taken[name] = item
            if item.named.known and item.name != name:
                notices.append(("file-renamed", {"file": item.shown, "name": name}))
    taken = _near_notebooks(taken, notices)
    order = {f"{exercise}.py": place for place, exercise in enumerate(exercises)}
    order["attention.ipynb"] = len(order)

    def rank(name: str) -> tuple[int, bool, int, str]:
        return order.get(name, len(order)), name.endswith(".py"), name.count("/"), name

    return [replace(taken[name], name=name) for name in sorted(taken, key=rank)]


def _precedence(item: _Item) -> tuple[int, tuple[int, int], str]:
    return len(item.folders), item.named.rank if item.named else (9, 0), item.shown


def _unwrapped(items: list[_Item]) -> list[_Item]:
    """Take away the folders that all files share."""
    while items and all(item.folders for item in items):
        if len({item.folders[0] for item in items}) > 1:
            break
        items = [replace(item, folders=item.folders[1:]) for item in items]
    return items


def _one_folder_of(items: list[_Item], notices: list[Notice]) -> list[_Item]:
    """Keep one of two sibling folders that hold the same files: attempts are never mixed.

    Three of them are a class rather than one student's attempts.
    """
    homes: dict[str, set[str]] = {}
    for item in items:
        if item.named and (item.named.known or item.name.lower().endswith(".ipynb")):
            homes.setdefault(item.named.name, set()).add(item.folders[0] if item.folders else "")
    for name, where in homes.items():
        if "" in where or len(where) == 1:
            continue
        if len(where) > 2:
            folders = listed(shown(each) for each in where)
            raise Unreadable("several-folders", name=shown(name), files=folders)
        first, second = sorted(where)
        notices.append(("folder-left-out", {"file": shown(second), "counts": shown(first)}))
        kept = [item for item in items if item.folders[:1] != (second,)]
        return _one_folder_of(kept, notices)
    return items


def _near_notebooks(taken: dict[str, _Item], notices: list[Notice]) -> dict[str, _Item]:
    """Leave out notebooks that lie deeper than others: a lecture's, an older copy."""
    books = {name: item for name, item in taken.items() if name.endswith(".ipynb")}
    if len(books) < 2:
        return taken
    depth = min(len(item.folders) for item in books.values())
    near = [item for item in books.values() if len(item.folders) == depth]
    far = {name for name, item in books.items() if len(item.folders) > depth}
    if far:
        notices.append(("notebook-deeper", {"files": listed(books[name].shown for name in far)}))
    if len(near) > 1:
        notices.append(("several-notebooks", {"files": listed(item.shown for item in near)}))
    return {name: item for name, item in taken.items() if name not in far}


def _contents(items: list[_Item]) -> Iterable[tuple[str, bytes]]:
    total = 0
    for item in items:
        data = item.node.read(MAX_FILE)
        total += len(data)
        if total > MAX_TOTAL:
            raise Unreadable("too-big", file=item.shown)
        yield item.name, data


def listed(names: Iterable[str], most: int = 6) -> str:
    """Give names in order, parted by commas, the first few and how many more."""
    every = sorted(names)
    more = f" (+{len(every) - most})" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def receipt_of(files: Sequence[tuple[str, bytes]]) -> str:
    """Give the digest of a hand-in as people compare it: 16 hex digits in groups of four."""
    whole = digest(Submission("", tuple(files)))
    return "-".join(whole[at : at + 4] for at in range(0, 16, 4))


def digest(submission: Submission) -> str:
    """Give a SHA-256 in hex over all names and bytes: equal where nothing changed."""
    made = hashlib.sha256()
    code = submission.reason[0] if submission.reason else ""
    for text in (submission.status, code):
        made.update(text.encode() + b"\0")
    for name, data in submission.files:
        encoded = name.encode("utf-8", "surrogatepass")
        made.update(b"%d %d\0" % (len(encoded), len(data)) + encoded + data)
    return made.hexdigest()
