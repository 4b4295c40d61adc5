"""Read a class list as spreadsheets and learning platforms write it: text in, students out.

Ids are text to the last sign: leading zeros stay, nothing is taken for a number. What cannot be
told for certain is refused with its line; a list is taken whole or not at all.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

COLUMNS = ("id", "first_name", "last_name", "email")
ALIASES = {
    "student_id": "id", "studentid": "id", "student": "id", "sis user id": "id", "username": "id",
    "first name": "first_name", "firstname": "first_name", "given name": "first_name",
    "last name": "last_name", "lastname": "last_name", "surname": "last_name",
    "family name": "last_name", "e-mail": "email", "mail": "email", "email address": "email",
}  # fmt: skip
# What cannot be a folder's name, or is one for nbgrader's own patterns.
FORBIDDEN = '/\\*?[]{}<>:|"\0'
RESERVED = {"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(1, 10))}


class RosterError(Exception):
    """A class list that cannot be taken; the message names the lines."""


@dataclass(frozen=True)
class Student:
    """One line of a class list."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""

    @property
    def name(self) -> str:
        return " ".join(part for part in (self.first_name, self.last_name) if part)


def read_roster(path: Path, *, folders: bool = True) -> list[Student]:
    """Read a class list: UTF-8 with or without BOM, else Windows' Chinese or Western code page.

    With `folders`, an id that cannot be a folder's name is refused.

    Raises
    ------
    RosterError
        With every line that is wrong; OSError where the file cannot be opened.
    """
    return parse_roster(_decoded(path.read_bytes(), path), str(path), folders=folders)


def _decoded(data: bytes, path: Path) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            return data.decode("gb18030" if _looks_chinese(data) else "cp1252")
        except UnicodeDecodeError:
            raise RosterError(f"{path} is neither UTF-8 nor a Chinese or Western code page: "
                              "save it as “CSV UTF-8”.") from None  # fmt: skip


def _looks_chinese(data: bytes) -> bool:
    """Whether bytes are GB2312, as Excel saves a list in China: its signs are pairs of high bytes.

    Western letters with accents are single ones among plain letters.
    """
    high = re.findall(rb"[\x80-\xff]+", data)
    return all(len(run) % 2 == 0 and min(run) > 0xA0 and max(run) < 0xFF for run in high)


def parse_roster(text: str, name: str = "the roster", *, folders: bool = True) -> list[Student]:
    """Read a class list's text.

    Raises
    ------
    RosterError
    """
    head = text.lstrip("\ufeff \r\n").split("\n", 1)[0]
    separator = max(",;\t", key=head.count)
    lines = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=separator)
    rows = [(lines.line_num, [cell.strip() for cell in row]) for row in lines]
    rows = [(number, row) for number, row in rows if any(row)]
    if not rows:
        raise RosterError(f"{name} is empty.")
    columns = [_column(cell) for cell in rows[0][1]]
    if "id" not in columns:
        raise RosterError(f"{name}, line {rows[0][0]}: there is no column `id` "
                          f"(columns: {', '.join(COLUMNS)}).")  # fmt: skip
    students: list[Student] = []
    problems: list[str] = []
    first: dict[str, int] = {}
    for number, row in rows[1:]:
        if len(row) > len(columns) and any(row[len(columns) :]):
            problems.append(f"line {number}: {len(row)} cells, the head has {len(columns)}")
            continue
        told = {c: cell for c, cell in zip(columns, row, strict=False) if c in COLUMNS}
        problem = _problem(told.get("id", ""), folders)
        same = _folded(told.get("id", ""))
        if problem is None and same in first:
            problem = (
                f"{told['id']!r} stands at line {first[same]} already, or differs only in case"
            )
        if problem is not None:
            problems.append(f"line {number}: {problem}")
            continue
        first[same] = number
        students.append(Student(**told))
    if problems:
        raise RosterError(f"{name}: nothing was taken over. " + "; ".join(problems[:20]) + ".")
    return students


def _problem(student: str, folders: bool) -> str | None:
    if folders:
        return id_problem(student)
    return None if student else "there is no id"


def _column(cell: str) -> str:
    name = cell.strip().strip("\ufeff").lower()
    return ALIASES.get(name, name)


def _folded(student: str) -> str:
    return unicodedata.normalize("NFC", student).casefold()


def id_problem(student: str) -> str | None:
    """Say why an id cannot be a folder's name; None where it can."""
    if not student:
        return "there is no id"
    if student != unicodedata.normalize("NFC", student):
        return f"{student!r} is written with separate accents: save the file anew"
    bad = sorted({c for c in student if c in FORBIDDEN or not c.isprintable()})
    if bad:
        return f"the id {student!r} holds {' '.join(map(repr, bad))}, which a folder cannot"
    if student.strip(". ") != student or student.startswith("-"):
        return f"the id {student!r} begins or ends with a sign that a folder's name must not"
    if student.split(".")[0].casefold() in RESERVED:
        return f"the id {student!r} is a name that Windows keeps for itself"
    return None if len(student.encode()) <= 120 else f"the id {student[:20]!r}… is too long"


def near(student: str, known: list[str]) -> str | None:
    """Give an id that differs only in leading zeros or case: a likely slip, never a match."""

    def bare(text: str) -> str:
        return _folded(text).lstrip("0")

    return next((each for each in known if each != student and bare(each) == bare(student)), None)
