"""One row a student: hand-ins beside a class list, and cells that are safe in a spreadsheet.

Who is on the list and did not hand in has a row; who handed in and is not on the list stands
apart. Ids are text to the last sign and are never guessed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from autograder.results import Results, SubmissionResult
from autograder.summary import points

Missing = Literal["blank", "zero"]
BOM = "\ufeff"  # without it, Excel reads UTF-8 as the machine's own code page
# The wide ones too: where Chinese or Japanese is typed, a spreadsheet takes them for the same.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


class Number(str):
    """A number as text: its sign begins no formula."""


class Listed(Protocol):
    """A line of a class list."""

    @property
    def id(self) -> str: ...
    @property
    def first_name(self) -> str: ...
    @property
    def last_name(self) -> str: ...
    @property
    def email(self) -> str: ...


@dataclass(frozen=True)
class Entry:
    """A student with what she handed in.

    Attributes
    ----------
    id, first_name, last_name, email : str
        Names are "" without a class list.
    submission : SubmissionResult or None
        None where the list names a student who did not hand in.
    penalty : float
        What is taken off for being late, in points; the score itself stays as it was.
    """

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    submission: SubmissionResult | None = None
    penalty: float = 0.0

    @property
    def status(self) -> str:
        """``graded``, ``unreadable``, ``empty``, or ``none`` where there is no hand-in."""
        return self.submission.status if self.submission else "none"

    @property
    def stale(self) -> bool:
        """Whether the last run failed and the score is that of an earlier one."""
        found = self.submission
        return found is not None and found.score is None and found.last_good is not None

    @property
    def score(self) -> float | None:
        """Points after the penalty, never below 0; None where there is and was no score."""
        if self.submission is None:
            return None
        found = self.submission.last_good if self.stale else self.submission.score
        return None if found is None else max(0.0, found - self.penalty)

    def score_cell(self, missing: Missing) -> str:
        """Give the score for a cell: without a score nothing, or 0 where so wished."""
        if self.score is None:
            return "0" if missing == "zero" else ""
        return points(self.score)


@dataclass(frozen=True)
class Gradebook:
    """What an export is made from.

    Attributes
    ----------
    entries : tuple of Entry
        As the class list has them, else as the results do.
    unknown : tuple of Entry
        Hand-ins of students who are not on the list.
    max_score : float
    title : str
        What the assignment's column is called.
    missing : str
        ``blank`` or ``zero`` where there is no score.
    kit : str
        The version that graded.
    by_list : bool
        Whether there was a class list.
    """

    entries: tuple[Entry, ...]
    unknown: tuple[Entry, ...]
    max_score: float
    title: str = "Attention exercises"
    missing: Missing = "blank"
    kit: str = ""
    by_list: bool = False

    @property
    def all(self) -> tuple[Entry, ...]:
        """Everybody, those who are not on the list last."""
        return self.entries + self.unknown


def gradebook(
    results: Results,
    roster: Sequence[Listed] | None = None,
    *,
    missing: Missing = "blank",
    title: str = "Attention exercises",
    penalties: Mapping[str, float] | None = None,
) -> Gradebook:
    """Put results beside a class list; without a list, everybody who handed in is on it."""
    off = penalties or {}
    handed = {each.id: each for each in results.submissions}
    if roster is None:
        entries = [
            Entry(each.id, submission=each, penalty=off.get(each.id, 0.0))
            for each in results.submissions
        ]
        unknown = []
    else:
        entries = [
            Entry(
                each.id,
                each.first_name,
                each.last_name,
                each.email,
                handed.get(each.id),
                off.get(each.id, 0.0),
            )
            for each in roster
        ]
        known = {each.id for each in roster}
        unknown = [
            Entry(each.id, submission=each, penalty=off.get(each.id, 0.0))
            for each in results.submissions
            if each.id not in known
        ]
    highest = max((each.max_score for each in results.submissions), default=0.0)
    by_list = roster is not None
    return Gradebook(tuple(entries), tuple(unknown), highest, title, missing, results.kit, by_list)


def safe(cell: str) -> str:
    """Keep a spreadsheet from taking text for a formula: such a cell begins with an apostrophe."""
    return f"'{cell}" if cell.startswith(_FORMULA) and not isinstance(cell, Number) else cell


def unsafe(cell: str) -> str:
    """Give a cell's text as it was before `safe`."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell


def table(rows: Iterable[Sequence[str]], *, bom: bool = True) -> str:
    """Write rows as CSV with every odd cell quoted; each is made harmless first."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return (BOM if bom else "") + text.getvalue()
