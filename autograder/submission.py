"""Find the submissions in folders, files and zips.

A folder that directly holds an exercise-named ``.py`` or one ``attention*.ipynb`` is one
submission; otherwise each child folder, ``.py``, ``.ipynb`` or ``.zip`` is one, its id the name
without suffix. A folder or zip that holds nothing but one folder of submissions is unwrapped, and
a learning platform's file names are read as student and file. Two students are never merged.
Reading is `autograder.handin`'s; here only names are looked at.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.archive import MAX_CLASS_MEMBERS
from autograder.folder import InZip, Node, OnDisk, Unreadable, is_junk, open_zip
from autograder.handin import Found, Notice, Submission, digest, listed
from autograder.naming import Handed, handed, handed_together, named, shown, version

__all__ = ["Found", "Notice", "Submission", "SubmissionError", "digest", "discover", "find"]


class SubmissionError(Exception):
    """A path that leads to no submission; the message is a sentence for whoever typed it."""


def discover(
    paths: Sequence[Path], exercises: Sequence[str]
) -> tuple[list[Submission], list[Notice]]:
    """Find and read every submission at once; see `find`."""
    found, notices = find(paths, exercises)
    return [each.read() for each in found], notices


def find(paths: Sequence[Path], exercises: Sequence[str]) -> tuple[list[Found], list[Notice]]:
    """Find the submissions in `paths`; their files are read one by one with `Found.read`.

    Parameters
    ----------
    paths : sequence of Path
        Folders, ``.py`` files, notebooks, zips.
    exercises : sequence of str
        Names that make a file an exercise's.

    Returns
    -------
    list of Found
        In the order of paths and names; each id stands once.
    list of (str, dict)
        What was unwrapped, ignored or renamed: codes under ``[notice.*]``.

    Raises
    ------
    SubmissionError
        Where a path is missing, or holds no submission.
    """
    found: list[Found] = []
    notices: list[Notice] = []
    for path in paths:
        found += _Finder(exercises, notices).at(path)
    _make_unique(found, notices)
    return found, notices


@dataclass
class _Finder:
    """Looks at one path; what is worth saying about the path as a whole goes to `notices`."""

    exercises: Sequence[str]
    notices: list[Notice]

    def at(self, path: Path) -> list[Found]:
        """Give the submissions at `path`, at least one."""
        label = shown(str(path))
        try:
            node: Node = OnDisk.at(path)
        except (OSError, RuntimeError, ValueError):
            raise SubmissionError(f"There is nothing at {label}.") from None
        if node.kind == "folder":
            return self._folder(node, label)
        if node.kind == "file" and node.name.lower().endswith(".zip"):
            try:
                root = open_zip(path, shown(node.name), MAX_CLASS_MEMBERS)
            except Unreadable as error:
                return [Found(_stem(node.name), self.exercises, refused=error)]
            root.name = _stem(node.name)
            return self._folder(root, label)
        if node.kind == "file" and named(node.name, self.exercises):
            return self._children([node])
        raise SubmissionError(
            f"{label} is no submission: I read folders, .py files, .ipynb notebooks and .zip files."
        )

    def _folder(self, node: Node, label: str) -> list[Found]:
        children = self._listed(node, label)
        astray = [each for each in children if isinstance(each, InZip) and each.astray]
        children = [each for each in children if each not in astray]
        if self._is_one(children):
            found = Found(shown(node.name), self.exercises, [("", node, shown(node.name))])
            folders = [each.name for each in children if each.kind == "folder"]
            if len(folders) > 1:
                notice = ("one-with-folders", {"file": label, "files": listed(folders)})
                self.notices.append(notice)
            return [found]
        inner, wrapped = self._class_below(children, label)
        if wrapped:
            self.notices.append(("unwrapped", {"file": wrapped}))
        elif isinstance(node, InZip) and _one_folder(children):
            # One student's zip around one folder: the zip's name says whose it is.
            return [Found(shown(node.name), self.exercises, [("", node, shown(node.name))])]
        found_here = self._children([*inner, *astray])
        if not found_here:
            raise SubmissionError(
                f"No submission in {label}. I looked for folders, .py files, .ipynb notebooks "
                f"and .zip files; a folder of one student's work holds a file named after an "
                f"exercise, such as {self.exercises[0]}.py, or attention.ipynb."
            )
        return found_here

    def _listed(self, node: Node, label: str) -> list[Node]:
        """Give a folder's children without junk, which is named in a notice."""
        try:
            children = node.children()
        except Unreadable:
            raise SubmissionError(f"{label} cannot be opened.") from None
        junk = [shown(each.name) for each in children if is_junk(each)]
        if junk:
            self.notices.append(("junk", {"files": listed(junk)}))
        return [each for each in children if not is_junk(each)]

    def _is_one(self, children: list[Node]) -> bool:
        """Whether these are the files of one submission."""
        names = [named(each.name, self.exercises) for each in children if each.kind == "file"]
        if any(each and each.known and each.name.endswith(".py") for each in names):
            return True
        books = [each.name for each in names if each and each.name.endswith(".ipynb")]
        return sum(name.casefold().startswith("attention") for name in books) == 1

    def _class_below(self, children: list[Node], label: str) -> tuple[list[Node], str]:
        """Go through folders that hold one folder each, where a class is at the end of them."""
        inner, path = children, ""
        while True:
            folders = [each for each in inner if self._counts(each)]
            if len(folders) != 1 or folders[0].kind != "folder":
                return (inner, path[1:]) if path and len(folders) > 1 else (children, "")
            path = f"{path}/{shown(folders[0].name)}"
            inner = self._listed(folders[0], label)
            if self._is_one(inner):
                return children, ""

    def _counts(self, node: Node) -> bool:
        """Whether a child of a class folder may be a submission."""
        if node.kind == "folder":
            return not _is_output(node)
        return (
            node.kind == "link"
            or node.name.lower().endswith(".zip")
            or named(node.name, self.exercises) is not None
            or handed(node.name) is not None
        )

    def _platform(self, children: list[Node]) -> dict[str, Handed]:
        """Give whose each child is, where a platform's name says it for certain.

        ``hw_2026_11_lee.py`` and ``hw_2026_12_kim.py`` look like two files of one person on
        Canvas. So files are put together only where there are several such people, or where a
        file is named as one student's work is.
        """
        found = handed_together(each.name for each in children)
        rests = [named(whose.rest, self.exercises) for whose in found.values()]
        alone = len(found) > 1 and len({whose.key for whose in found.values()}) == 1
        sure = any(whose.attempt for whose in found.values()) or any(
            "_assignsubmission_" in name for name in found
        )
        if alone and not sure and not any(each and each.known for each in rests):
            return {}
        return found

    def _children(self, children: list[Node]) -> list[Found]:
        """Give one submission for each child, or for each student a platform names."""
        found: list[Found] = []
        groups: dict[str, list[tuple[Handed, Node]]] = {}
        platform = self._platform(children)
        for node in children:
            whose = platform.get(node.name)
            if not self._counts(node) or node.kind == "special":
                self.notices.append(("not-a-submission", {"file": shown(node.name)}))
            elif whose and (node.kind == "file" or "_assignsubmission_" in node.name):
                if whose.key not in groups:
                    found.append(Found(shown(whose.id), self.exercises, key=shown(whose.key)))
                groups.setdefault(whose.key, []).append((whose, node))
            else:
                name = "" if node.kind == "folder" else node.name
                stem = shown(node.name if node.kind == "folder" else _stem(node.name))
                found.append(Found(stem, self.exercises, [(name, node, shown(node.name))]))
        by_key = {each.key: each for each in found if each.key}
        for key, files in groups.items():
            _fill(by_key[shown(key)], files)
        return found


def _fill(found: Found, files: list[tuple[Handed, Node]]) -> None:
    """Put a platform's files of one student into her submission: the newest whole attempt."""
    newest = found.attempt = max(whose.attempt for whose, _ in files)
    older = [node for whose, node in files if whose.attempt < newest]
    if older:
        notice = ("attempt-older", {"files": listed(shown(each.name) for each in older)})
        found.notices.append(notice)
    files = [(whose, node) for whose, node in files if whose.attempt == newest]
    rests = [whose.rest for whose, _ in files]
    unnumbered = [version(rest)[0] for rest in rests]
    for (whose, node), plain in zip(files, unnumbered, strict=True):
        where = shown(node.name)
        if node.kind == "folder":
            found.roots.append(("", node, where))
        elif whose.rest:
            # Where two would get one name, `handin` knows which copy of an exercise counts.
            alone = unnumbered.count(plain) == 1 and named(plain, ())
            found.roots.append((plain if alone else whose.rest, node, where))
            if alone and plain != whose.rest:
                found.notices.append(("file-renamed", {"file": where, "name": shown(plain)}))
    if len(found.roots) > 1:
        names = listed(where for _, _, where in found.roots)
        found.notices.append(("grouped", {"id": found.id, "files": names}))


def _one_folder(nodes: list[Node]) -> bool:
    """Whether there is one folder and nothing else, and no platform gave it its name."""
    return [each.kind for each in nodes] == ["folder"] and handed(nodes[0].name) is None


def _is_output(folder: Node) -> bool:
    """Whether a folder is what grading wrote, left among the submissions."""
    try:
        names = [each.name.lower() for each in folder.children()]
    except Unreadable:
        return False
    if folder.name == "students" and names:  # where the class's own folder was named for results
        return all(name.endswith(".html") for name in names)
    written = "results.json" in names or "results.jsonl" in names
    return written and not any(name.endswith((".py", ".ipynb", ".zip")) for name in names)


def _stem(name: str) -> str:
    """Give a file's name without suffix: ``hw`` for ``hw.ipynb.txt``."""
    stem = name.removesuffix(".txt") if name.lower().endswith((".py.txt", ".ipynb.txt")) else name
    for suffix in (".py", ".ipynb", ".zip"):
        if stem.lower().endswith(suffix) and stem[: -len(suffix)].strip("."):
            return stem[: -len(suffix)]
    return stem


def _make_unique(found: list[Found], notices: list[Notice]) -> None:
    """Give every submission an id that no other has, also where case and accents are folded."""
    keys: dict[str, set[str]] = {}
    for each in found:
        keys.setdefault(each.id, set()).add(each.key)
    for each in found:
        if each.key and len(keys[each.id]) > 1:
            each.id = each.key
    taken: dict[str, Found] = {}
    for each in found:
        wanted, number = each.id, 1
        while _folded(each.id) in taken:
            number += 1
            each.id = f"{wanted}~{number}"
        taken[_folded(each.id)] = each
        if number > 1:
            first = taken[_folded(wanted)]
            slots: dict[str, str | int] = {"id": wanted, "other": first.id, "now": each.id}
            notices.append(("id-collision", slots))
            first.notices.append(("id-collision", slots))
            each.notices.append(("id-collision", slots))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
