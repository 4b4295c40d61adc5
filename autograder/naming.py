"""What a file's or folder's name says: which exercise, which copy, which student.

Browsers, students and learning platforms rename what is handed in. The rules here are text in,
text out; they never look into a file and never guess who somebody is: where a name does not say
for certain that two files are one student's, they stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_PYTHON = re.compile(r"(?P<stem>.*?)(?P<suffix>\.py|\.ipynb)(?:\.txt)?", re.IGNORECASE | re.DOTALL)
_COPY = re.compile(
    r"(?P<stem>.+?)(?:"
    r"\s*\((?P<browser>\d{1,3})\)"  # softmax (1).py
    r"|-(?P<canvas>\d{1,2})"  # softmax-1.py
    r"|[\s_-]+(?:-\s*)?(?:copy|kopie|copie|copia|副本|拷贝|コピー)(?:\s*\(?\d{1,3}\)?)?"
    r")",
    re.IGNORECASE | re.DOTALL,
)
_CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<user>\d+)_\d+_(?P<rest>.+)", re.DOTALL)
_MOODLE = re.compile(
    r"(?P<id>.+?_\d+)_assignsubmission_(?P<plugin>[a-z]+)(?:_(?P<rest>.*))?", re.DOTALL
)
_BLACKBOARD = re.compile(
    r"(?P<key>(?:.+?_)??(?P<id>[^_]+))_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<rest>.+)|\.txt)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Handed:
    """Whose a file is, by its platform's naming.

    Attributes
    ----------
    key : str
        The same for files of one student, and for nobody else's.
    id : str
        What to call the student; may be shared by two keys.
    rest : str
        The student's own file name, or "".
    attempt : str
        Sorts attempts where the platform tells them apart, else "".
    """

    key: str
    id: str
    rest: str
    attempt: str = ""


@dataclass(frozen=True)
class Named:
    """What a Python file or notebook is called in the kit.

    Attributes
    ----------
    name : str
        ``softmax.py`` for ``Softmax (1).py``; a name that means nothing here stays.
    known : bool
        Whether it is named after an exercise, or ``attention``.
    rank : (int, int)
        Which of several files of the same name counts: the lowest.
    """

    name: str
    known: bool
    rank: tuple[int, int]


def handed(name: str) -> Handed | None:
    """Read a name as Canvas, Moodle or Blackboard write it in their downloads."""
    return next((whose for read in _PLATFORMS if (whose := read(name))), None)


def handed_together(names: Iterable[str]) -> dict[str, Handed]:
    """Read the names of one download, each as the platform that reads all of them writes it.

    The end of a name is the student's own, and may look like another platform's; one by one, a
    file that Kim uploads could be told to be Lee's.
    """
    found = {name: whose for name in names if (whose := handed(name))}
    for read in _PLATFORMS:
        together = {name: whose for name in found if (whose := read(name))}
        if len(together) == len(found):
            return together
    return found


def _moodle(name: str) -> Handed | None:
    found = _MOODLE.fullmatch(name)
    if found is None:
        return None
    rest = found["rest"] or ""
    return Handed(found["id"], found["id"], rest if found["plugin"] == "file" else "")


def _blackboard(name: str) -> Handed | None:
    found = _BLACKBOARD.fullmatch(name)
    return found and Handed(found["key"], found["id"], found["rest"] or "", found["time"])


def _canvas(name: str) -> Handed | None:
    found = _CANVAS.fullmatch(name)
    if found is None:
        return None
    who = f"{found['name']}_{found['user']}"
    return Handed(who, who, found["rest"])


_PLATFORMS = (_moodle, _blackboard, _canvas)


def named(name: str, exercises: Sequence[str]) -> Named | None:
    """Give what a Python file or notebook is called in the kit; None for any other file."""
    found = _PYTHON.fullmatch(name)
    if found is None or not found["stem"]:
        return None
    suffix = found["suffix"].lower()
    known = ("attention", *(exercises if suffix == ".py" else ()))
    copy = _COPY.fullmatch(found["stem"])
    if found["stem"].casefold() in known:
        return Named(found["stem"].casefold() + suffix, True, (1, 0))
    if copy and copy["stem"].casefold() in known:
        # A platform numbers what is handed in again; a browser numbers what is fetched again.
        rank = (0, -int(copy["canvas"])) if copy["canvas"] else (2, int(copy["browser"] or 0))
        return Named(copy["stem"].casefold() + suffix, True, rank)
    return Named(found["stem"] + suffix, False, (1, 0))


def version(name: str) -> tuple[str, int]:
    """Part the number that a platform gave to a file handed in again: ``hw-2.zip`` → (hw.zip, 2).

    Canvas puts it before the first dot: ``hw-1.v2.zip``, or before the last.
    """
    found = re.fullmatch(r"([^.]+?)-(\d{1,2})(\..*)|(.+?)-(\d{1,2})(\.[^.]+)", name, re.DOTALL)
    if found is None:
        return name, 0
    stem, number, rest = found.group(1, 2, 3) if found[1] else found.group(4, 5, 6)
    return stem + rest, int(number)


def shown(text: str) -> str:
    """Give a name on one line, with every sign escaped that could deceive a reader."""
    keep = "\u200d"  # joins emoji
    return "".join(c if c.isprintable() or c == keep else ascii(c)[1:-1] for c in text)
