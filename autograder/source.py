"""Read one submitted file into pieces of Python, inside the worker.

Takes the bytes of a ``.py`` or ``.ipynb`` and gives its code as text, cell by cell, with what was
dropped or mended on the way. It runs where the student's code runs, because JSON and text from a
student can be deadly to parse: standard library and its neighbours `cells` and `magics` only. And
whatever the bytes are, it gives an answer and never raises. It does not run or judge anything.

Rules, the same for every submission:

- Lines keep their numbers. A magic or shell line becomes an empty line (``pass`` where indented),
  ``x = !ls`` becomes ``x = []``. Only a line that begins a statement can be one: a modulo sign
  that continues an expression, and text inside a string, stay.
- ``%%time`` and its like keep the cell below them; ``%%bash`` and its like drop it.
- What holds for the cells of a notebook stands in `cells`.
- Whoever runs the units offers a harmless `autograder` to ``from autograder import check``.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field, replace

from autograder import cells, magics
from autograder.cells import Slots, Unit, Unreadable, shown

MAX_BYTES = 32 * 2**20  # a notebook with its pictures
MAX_CODE = 2**20  # characters of Python in one file: a hundred times what a student writes


@dataclass(frozen=True)
class Parsed:
    """What one file holds.

    Attributes
    ----------
    units : list of Unit
        In the order in which they are to run; empty where there is an error.
    notices : list of (str, dict)
        What was done with something odd: a code under ``[notice.*]`` and its slots.
    error : (str, str, int or None) or None
        Why the file cannot be read: a code under ``[unreadable.*]``, a detail, a line.
    """

    units: list[Unit] = field(default_factory=list)
    notices: list[tuple[str, Slots]] = field(default_factory=list)
    error: tuple[str, str, int | None] | None = None


def parse(name: str, data: bytes) -> Parsed:
    """Give the code in a submitted file.

    Parameters
    ----------
    name : str
        Its name; ``.ipynb`` is read as a notebook, everything else as Python.
    data : bytes

    Returns
    -------
    Parsed
    """
    notices: list[tuple[str, Slots]] = []
    try:
        if len(data) > MAX_BYTES:
            raise Unreadable("too-big")
        if name.lower().endswith(".ipynb"):
            units = cells.units(_text(data), notices)
        elif data.lstrip()[:1] == b"{" and b'"cells"' in data and b'"nbformat"' in data:
            notices.append(("notebook-named-py", {"file": shown(name)}))
            units = cells.units(_text(data), notices)
        else:
            units = [Unit(shown(name), _python(data))]
        if sum(len(unit.code) for unit in units) > MAX_CODE:
            raise Unreadable("too-much-code")
        return Parsed(_clean(units, notices), notices)
    except Unreadable as error:
        return Parsed([], notices, (error.kind, error.detail, error.line))
    except RecursionError:
        return Parsed([], notices, ("too-deep", "", None))
    except MemoryError:
        return Parsed([], notices, ("too-big", "", None))


# -- bytes to text ---------------------------------------------------------------------------


def _text(data: bytes, coding: str = "utf-8") -> str:
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise Unreadable("utf-16", "UTF-32")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise Unreadable("utf-16", "UTF-16")
    if b"\0" in data:
        head = data[:400]
        every_other = max(head[0::2].count(0), head[1::2].count(0)) * 3 > len(head)
        raise Unreadable("utf-16", "UTF-16") if every_other else Unreadable("binary")
    if data.startswith(codecs.BOM_UTF8):
        data, coding = data[3:], "utf-8"
    try:
        text = data.decode(coding)
    except LookupError:
        raise Unreadable("coding-unknown", coding, 1) from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable("encoding", coding, line) from None
    except (UnicodeError, ValueError):
        raise Unreadable("encoding", coding, 1) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _python(data: bytes) -> str:
    # Where PEP 263 looks: the first two lines, the second only below a comment or blank line.
    coding, head = "utf-8", data[:1000]
    for line in re.split(rb"\r\n|\r|\n", head, maxsplit=2)[:2] if b"coding" in head else ():
        declared = re.match(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", line)
        if declared:
            coding = declared[1].decode("ascii", "replace")
        if declared or not re.match(rb"^(?:\xef\xbb\xbf)?[ \t\f]*(?:#.*)?$", line):
            break
    return _text(data, coding)


def _clean(units: list[Unit], notices: list[tuple[str, Slots]]) -> list[Unit]:
    """Drop magics and shell lines from every unit, with one notice for all of them."""
    cleaned, dropped = [], []
    for unit in units:
        if magics.suspected(unit.code):
            tree = magics.plain(unit.code)
            if tree is None:
                code, places = magics.removed(unit.code)
                dropped += [(unit.label, *place) for place in places]
                unit = replace(unit, code=code)
            else:
                unit = replace(unit, tree=tree)
        cleaned.append(unit)
    if dropped:
        label, line, text = dropped[0]
        slots: Slots = {"count": len(dropped), "where": label, "line": line, "text": shown(text)}
        notices.append(("magic", slots))
    return cleaned
