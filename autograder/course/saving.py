"""Save one hand-in's grades by nbgrader's own preprocessors: read once, written in one transaction.

Stock SaveAutoGrades asks the database anew for every cell, through six tables each time, and
commits after each. Here a hand-in's grades and comments are read together, and one commit at the
end writes all of them or none.
"""

from __future__ import annotations

from typing import Any

import nbformat
from nbgrader import preprocessors
from nbgrader.api import BaseCell, Comment, Grade, MissingEntry


class Entries:
    """A gradebook that has one hand-in's grades and comments at hand."""

    def __init__(self, gradebook: Any, notebook: str, assignment: str, student: str) -> None:
        self._gradebook, self.db = gradebook, self
        entry = gradebook.find_submission_notebook(notebook, assignment, student)
        self.notebook = entry
        self.grades = self._all(Grade, entry.id)
        self.comments = self._all(Comment, entry.id)

    def _all(self, kind: Any, notebook: str) -> dict[str, Any]:
        found = (
            self._gradebook.db.query(kind, BaseCell.name)
            .join(BaseCell, BaseCell.id == kind.cell_id)
            .filter(kind.notebook_id == notebook)
        )
        return {name: each for each, name in found}

    def find_grade(self, name: str, *_: str) -> Any:
        """Give the grade of a grade cell."""
        return _one(self.grades, name)

    def find_comment(self, name: str, *_: str) -> Any:
        """Give the comment on a solution cell."""
        return _one(self.comments, name)

    def commit(self) -> None:
        """Wait for the commit at the end."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._gradebook, name)


def _one(entries: dict[str, Any], name: str) -> Any:
    if name not in entries:
        raise MissingEntry(f"No entry for the cell {name}")
    return entries[name]


class SaveInOne(preprocessors.SaveAutoGrades):  # type: ignore[misc]
    """Stock SaveAutoGrades on entries that are at hand."""

    entries: Any = None

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Save every cell's score."""
        told = resources["nbgrader"]
        self.notebook_id, self.assignment_id = told["notebook"], told["assignment"]
        self.student_id, self.gradebook = told["student"], self.entries
        for index, cell in enumerate(nb.cells):
            self.preprocess_cell(cell, resources, index)
        return nb, resources


def save(parent: Any, gradebook: Any, entries: Entries, book: Any, resources: Any) -> Any:
    """Let nbgrader's preprocessors limit the outputs, save the grades and take lateness off.

    Parameters
    ----------
    parent : Autograde
        Whose configuration holds.
    """
    resources = nbformat.from_dict({**resources, "metadata": {}})
    for kind in (preprocessors.IgnorePattern, preprocessors.LimitOutput, SaveInOne):
        step = kind(parent=parent, config=parent.config)
        if kind is SaveInOne:
            step.entries = entries
        step.enabled = True
        book, resources = step(book, resources)
    entry = entries.notebook.assignment
    if entry.total_seconds_late > 0 or entry.late_submission_penalty:
        gradebook.db.commit()  # it opens the gradebook anew
        step = preprocessors.AssignLatePenalties(parent=parent, config=parent.config)
        step.enabled = True
        book, resources = step(book, resources)
    return book
