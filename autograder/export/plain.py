"""Plain CSV: wide, a row a student; long, a row a check. For spreadsheets and for analysis."""

from __future__ import annotations

from autograder.export.entries import Gradebook, table
from autograder.summary import exercises_of, findings_of, points


def wide(book: Gradebook) -> str:
    """Give one row a student, one column an exercise."""
    handed = [each.submission for each in book.all if each.submission]
    exercises = list(exercises_of(handed))
    head = ["id", "first_name", "last_name", "email", "listed", "status", "score", "penalty"]
    rows = [[*head, "max_score", *exercises, "findings", "notice"]]
    for place, entry in enumerate(book.all):
        found = entry.submission
        of = {each.exercise: points(each.score) for each in found.exercises} if found else {}
        none = "0" if book.missing == "zero" else ""
        rows.append(
            [
                entry.id,
                entry.first_name,
                entry.last_name,
                entry.email,
                _listed(book, place),
                f"{entry.status} (last good score)" if entry.stale else entry.status,
                entry.score_cell(book.missing),
                points(entry.penalty),
                points(book.max_score),
                *(of.get(each, none) for each in exercises),
                " ".join(findings_of(found)) if found else "",
                (found.notice or "") if found else "",
            ]
        )
    return table(rows)


def _listed(book: Gradebook, place: int) -> str:
    if not book.by_list:
        return ""  # nobody said who is on a list
    return "yes" if place < len(book.entries) else "no"


def long(book: Gradebook) -> str:
    """Give one row a check of each student; who has no score has one row without a check."""
    head = ["id", "exercise", "check", "title", "status", "score", "max_score", "finding"]
    rows = [[*head, "message"]]
    for entry in book.all:
        exercises = entry.submission.exercises if entry.submission else ()
        if not exercises:
            note = (entry.submission.notice or "") if entry.submission else ""
            rows.append([entry.id, "", "", "", entry.status, "", "", "", note])
        rows += [
            [
                entry.id,
                each.exercise,
                check.check,
                check.title,
                check.status,
                points(check.score),
                points(check.max_score),
                check.finding or "",
                check.message or "",
            ]
            for each in exercises
            for check in each.checks
        ]
    return table(rows)
