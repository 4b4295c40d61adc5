"""Canvas' gradebook CSV: its five columns, the assignment, and the row of possible points.

Canvas finds a student by `ID`, else by `SIS User ID`, else by `SIS Login ID`; an empty cell of an
assignment leaves a grade as it is. It takes no byte order mark for granted, so there is none.
"""

from __future__ import annotations

from autograder.export.entries import Entry, Gradebook, table
from autograder.summary import points


def render(book: Gradebook) -> str:
    """Give the file for Canvas' "Import Grades": only who is on the class list."""
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", book.title]
    rows = [head, ["    Points Possible", "", "", "", "", points(book.max_score)]]
    rows += [
        [_name(each), "", each.id, each.email, "", each.score_cell(book.missing)]
        for each in book.entries
    ]
    return table(rows, bom=False)


def _name(entry: Entry) -> str:
    return ", ".join(part for part in (entry.last_name, entry.first_name) if part) or entry.id
