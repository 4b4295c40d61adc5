"""What being late costs: computed anew from times, deadline and rule, never kept in a score."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from autograder.results import Results

_RULE = re.compile(
    r"(\d+(?:\.\d+)?)\s*%\s*(?:/|per\s+)day(?:\s*,\s*(?:max\s*)?(\d+(?:\.\d+)?)\s*%)?"
)
DAY = 86_400.0


class LateError(ValueError):
    """A rule, a time or a table of times that cannot be taken; the message is a sentence."""


@dataclass(frozen=True)
class Rule:
    """A share of the score for each day begun, at most `cap`; both between 0 and 1."""

    per_day: float = 0.0
    cap: float = 1.0

    def penalty(self, score: float, seconds: float) -> float:
        """Give the points that a hand-in loses which is `seconds` late; never more than it has."""
        if seconds <= 0:
            return 0.0
        return max(0.0, score) * min(1.0, self.cap, self.per_day * math.ceil(seconds / DAY))


def parse_rule(text: str) -> Rule:
    """Read ``none``, ``zero``, ``10%/day`` or ``10%/day, max 50%``.

    Raises
    ------
    LateError
    """
    said = text.strip().lower()
    if said in ("none", ""):
        return Rule()
    if said == "zero":
        return Rule(per_day=1.0)
    found = _RULE.fullmatch(said)
    if found is None:
        raise LateError(f"{text!r} is no rule: write none, zero, 10%/day or “10%/day, max 50%”.")
    return Rule(float(found[1]) / 100, float(found[2]) / 100 if found[2] else 1.0)


def parse_time(text: str) -> datetime:
    """Read a time as ISO 8601 or as nbgrader's timestamp.txt has it; without a zone, it is UTC.

    Raises
    ------
    LateError
    """
    said = re.sub(r"\s*(UTC|Z)$", "+00:00", text.strip(), flags=re.IGNORECASE)
    try:
        found = datetime.fromisoformat(said)
    except ValueError:
        raise LateError(
            f"{text!r} is no time: write it as 2026-11-29 23:59 or with +01:00."
        ) from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Times:
    """When each hand-in came, and who has a deadline of her own."""

    submitted: Mapping[str, datetime]
    due: Mapping[str, datetime]


def read_times(path: Path) -> Times:
    """Read ``id,submitted`` and, where there are extensions, ``due``.

    Raises
    ------
    LateError
        With the line; OSError where the file cannot be opened.
    """
    text = path.read_bytes().decode("utf-8-sig", "replace")
    head = text.split("\n", 1)[0]
    separator = ";" if head.count(";") > head.count(",") else ","
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    columns = [each.strip().lower() for each in rows.fieldnames or ()]
    if "id" not in columns or "submitted" not in columns:
        raise LateError(f"{path}: the columns are id,submitted and, where needed, due.")
    rows.fieldnames = columns
    submitted: dict[str, datetime] = {}
    due: dict[str, datetime] = {}
    for row in rows:
        id = (row["id"] or "").strip()
        try:
            for into, cell in ((submitted, row["submitted"]), (due, row.get("due"))):
                if cell and cell.strip():
                    into[id] = parse_time(cell)
        except LateError as error:
            raise LateError(f"{path}, line {rows.line_num}: {error}") from error
    return Times(submitted, due)


def seconds_late(times: Times, deadline: datetime | None) -> dict[str, float]:
    """Give who is late, by how many seconds, each by the deadline that counts for her."""
    late = {}
    for id, when in times.submitted.items():
        due = times.due.get(id, deadline)
        if due is not None and when > due:
            late[id] = (when - due).total_seconds()
    return late


def penalties(results: Results, late: Mapping[str, float], rule: Rule) -> dict[str, float]:
    """Give the points that each late hand-in loses."""
    return {
        each.id: rule.penalty(each.score, late[each.id])
        for each in results.submissions
        if each.id in late and each.score is not None
    }


def names(late: Mapping[str, float]) -> Sequence[str]:
    """Give who is late, by id."""
    return sorted(late)
