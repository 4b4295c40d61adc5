"""Cells for spreadsheets: quoted by the standard, ids as text, nothing that runs as a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def cell(value: object) -> str:
    """Give a value as a cell: numbers plainly, text so that no spreadsheet takes it for code."""
    if value is None:
        return ""
    if isinstance(value, bool | int):
        return str(value)
    if isinstance(value, float):
        return f"{round(value, 6):g}"
    text = str(value).replace("\0", "")
    return f"'{text}" if text.startswith(FORMULA) else text


def lines(rows: Iterable[Sequence[object]]) -> str:
    """Give rows as CSV text."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerows([cell(each) for each in row] for row in rows)
    return out.getvalue()
