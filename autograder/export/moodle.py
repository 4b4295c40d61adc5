"""Moodle's grade CSV, for "Grades: Import: CSV file": map `ID number` or `Email address`."""

from __future__ import annotations

from autograder.export.entries import Entry, Gradebook, table
from autograder.messages import Lang, ui
from autograder.summary import points


def render(book: Gradebook, lang: Lang = "en") -> str:
    """Give one row for each student on the class list."""
    head = ["ID number", "First name", "Last name", "Email address", book.title]
    rows = [[*head, "Maximum grade", "Feedback comments"]]
    rows += [
        [
            each.id,
            each.first_name,
            each.last_name,
            each.email,
            each.score_cell(book.missing),
            points(book.max_score),
            _feedback(each, lang),
        ]
        for each in book.entries
    ]
    return table(rows)


def _feedback(entry: Entry, lang: Lang) -> str:
    if entry.submission is None:
        return ""
    if entry.submission.status != "graded":
        return entry.submission.notice or ""
    return "; ".join(
        f"{each.exercise} {points(each.score)}/{points(each.max_score)}"
        f" ({ui(f'exercise.{each.status}', lang)})"
        for each in entry.submission.exercises
        if each.status != "passed"
    )
