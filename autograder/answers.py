"""What a worker said, read into plain records that trust none of it.

A worker belongs to the student's code, so every name, place, kind and text in its answers is held
against what the grading process knows itself: names of files that it sent, graded names, closed
lists of kinds. What does not fit is a `ProtocolError`, and then the worker is ended.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.imports import PACKAGES
from autograder.student import BUILTIN_EXCEPTIONS, Trouble
from autograder.wire import ProtocolError

REFUSED = frozenset({"complex", "object", "string", "other", "masked", "too large"})
SOLUTIONS = "solutions"  # the folder of the answers, which no worker has
Shortcut = tuple[str, str, str]  # exercise, what is forbidden there, ``asked`` or ``used``
Line = tuple[str, str, int]  # one of `LINES`, the file or cell, the line
LINES = ("line-left-out", "line-kept")
CODE = re.compile(r"[a-z0-9-]{1,40}")
CELL = re.compile(r", cell \d{1,4}")
MAX_LINE = 10**7
MAX_LINE_TOLD = 10**4  # a line is a number that the student's code chooses: no more than it needs


@dataclass(frozen=True)
class FileReport:
    """What was found when one file was read.

    Attributes
    ----------
    name : str
    error : (str, str, int or None) or None
        Why it cannot be read or parsed: a code, a detail, a line. ``syntax`` is the code of a
        Python file that does not parse, ``deadly`` of one that ended the process reading it.
    notices : tuple of (str, dict)
        What was done with something odd: a code and its slots.
    """

    name: str
    error: tuple[str, str, int | None] | None = None
    notices: tuple[tuple[str, Mapping[str, Any]], ...] = ()


@dataclass(frozen=True)
class LoadReport:
    """What a submission's files define, found before anything of it ran.

    Attributes
    ----------
    files : tuple of FileReport
        One for each file that was sent, in order.
    definitions : dict
        Graded name to ``stub`` or ``attempted``; absent where it is not defined.
    chosen : dict
        Graded name to the name of the file that counts for it.
    notices : tuple of (str, dict)
        About the files together, such as a name defined twice.
    """

    files: tuple[FileReport, ...] = ()
    definitions: Mapping[str, str] = field(default_factory=dict)
    chosen: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    def broken(self, exercise: str) -> tuple[str, str, int | None] | None:
        """Give the error of the exercise's own file, if it cannot be read."""
        own = (f for f in self.files if f.name.rpartition("/")[2] == f"{exercise}.py")
        return next((file.error for file in own if file.error is not None), None)


@dataclass(frozen=True)
class Prepared:
    """What came of running what an exercise needs.

    Attributes
    ----------
    trouble : Trouble or None
        Why a name of the exercise cannot be used, where a file or cell did not get through.
    noted : tuple of Trouble
        Every file or cell that failed so far, whether or not it mattered.
    stdout : str
        What the submission's files and cells printed so far, cut.
    unit : str or None
        The file or cell that was running when the process hung or ended.
    there : tuple of str
        Graded names that are there now although syntax does not show it.
    """

    trouble: Trouble | None = None
    noted: tuple[Trouble, ...] = ()
    stdout: str = ""
    unit: str | None = None
    there: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the exercise's names can be used."""
        return self.trouble is None


def expect(condition: object) -> None:
    """Refuse an answer that does not fit."""
    if not condition:
        raise ProtocolError("an answer that does not fit")


def place_of(told: Any, files: Sequence[str]) -> str | None:
    """Give the file or cell a worker names, if it is one of the submission's."""
    if told is None:
        return None
    expect(type(told) is str)
    name = next((name for name in files if told == name), None)
    if name is None:
        name = next((name for name in files if told.startswith(name + ", cell ")), None)
        expect(name is not None and CELL.fullmatch(told, len(name)))
    return str(told)


def line_of(told: Any) -> int | None:
    """Give a line number, or None."""
    expect(told is None or type(told) is int)
    return told if told is not None and 0 < told < MAX_LINE_TOLD else None


def trouble_of(told: Any, files: Sequence[str], skip: Mapping[str, Trouble]) -> Trouble:
    """Give the trouble a worker tells of."""
    expect(isinstance(told, list | tuple) and len(told) == 4)
    kind, detail, line, place = told
    expect(type(kind) is str and type(detail) is str)
    line, place = line_of(line), place_of(place, files)
    if kind == "raised":
        return Trouble(kind, detail if detail in BUILTIN_EXCEPTIONS else "Exception", line, place)
    if kind in ("stub", "missing"):
        return Trouble(kind, "", line, place)
    if kind == "refused":
        return Trouble(kind, detail if detail in REFUSED else "other")
    if kind == "gone":
        return Trouble("died")
    expect(kind == "skipped")
    known = skip.get(place or "", Trouble("died"))
    return Trouble(known.kind, known.detail, known.line, place)


def changed_of(told: Any, args: Sequence[Any], kwargs: Collection[str]) -> tuple[int | str, ...]:
    """Give which arguments a call changed."""
    expect(isinstance(told, list | tuple))
    for each in told:
        expect(type(each) in (int, str))  # an array can be neither compared nor looked up
        expect(0 <= each < len(args) if type(each) is int else each in kwargs)
    return tuple(told)


def names_of(told: Any, known: Collection[str]) -> tuple[str, ...]:
    """Give which of the known names are told."""
    expect(isinstance(told, list | tuple))
    said = {each for each in told if type(each) is str}
    return tuple(name for name in known if name in said)


def lines_of(told: Any, files: Sequence[str]) -> frozenset[Line]:
    """Give the lines of the student's files of which something is told."""
    expect(isinstance(told, list | tuple))
    found = set()
    for each in told:
        expect(isinstance(each, list | tuple) and len(each) == 3)
        code, place, line = each
        expect(type(code) is str and code in LINES)
        found.add((code, place_of(place, files) or "", line_of(line) or 0))
    return frozenset(found)


def absent_of(told: Any) -> frozenset[str]:
    """Give which well-known packages the student's code asked for and did not get."""
    expect(isinstance(told, list | tuple))
    return (PACKAGES | {SOLUTIONS}) & {each for each in told if type(each) is str}


def shortcuts_of(told: Any, listed: Mapping[str, Sequence[str]]) -> frozenset[Shortcut]:
    """Give which of the listed shortcuts were asked for or used: no other word of it counts."""
    expect(isinstance(told, list | tuple))
    said = [tuple(each) for each in told if isinstance(each, list | tuple)]
    texts = {each for each in said if all(type(part) is str for part in each)}
    pairs = [(exercise, name) for exercise, names in listed.items() for name in names]
    every = {(*pair, what) for pair in pairs for what in ("asked", "used")}
    return frozenset(each for each in every if each in texts)


def load_report(told: Any, files: Sequence[str], names: frozenset[str]) -> LoadReport:
    """Give the report on the files, in the order they were sent."""
    expect(type(told) is dict and isinstance(told.get("files"), list | tuple))
    expect(len(told["files"]) == len(files))
    status, chosen = told.get("status"), told.get("chosen")
    expect(type(status) is dict and type(chosen) is dict)
    expect(status.keys() <= names and chosen.keys() <= names)
    expect(all(type(each) is str for each in status.values()))
    expect(set(status.values()) <= {"stub", "attempted"})
    expect(all(type(each) is int and 0 <= each < len(files) for each in chosen.values()))
    reports = [_file(each, name) for each, name in zip(told["files"], files, strict=True)]
    counts = {name: files[place] for name, place in chosen.items()}
    return LoadReport(tuple(reports), status, counts, _notices(told.get("notices")))


def _file(told: Any, name: str) -> FileReport:
    expect(isinstance(told, list | tuple) and len(told) == 2)
    error = told[0]
    if error is not None:
        expect(isinstance(error, list | tuple) and len(error) == 3)
        expect(type(error[0]) is str and CODE.fullmatch(error[0]))
        error = (error[0], text_of(error[1]), line_of(error[2]))
    return FileReport(name, error, _notices(told[1]))


def _notices(told: Any) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    expect(isinstance(told, list | tuple))
    found = []
    for each in told:
        expect(isinstance(each, list | tuple) and len(each) == 2 and type(each[1]) is dict)
        expect(type(each[0]) is str and CODE.fullmatch(each[0]) and len(each[1]) <= 8)
        slots = {
            text_of(key): slot if type(slot) is int and abs(slot) < MAX_LINE else text_of(slot)
            for key, slot in each[1].items()
        }
        found.append((each[0], slots))
    return tuple(found)


def text_of(told: Any) -> str:
    """Give a short text on one line, every unprintable sign escaped."""
    expect(type(told) is str)
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in told[:200])
