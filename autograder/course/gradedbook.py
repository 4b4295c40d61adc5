"""Make the graded notebook: a student's outputs, and the graders' in the grade cells.

What it holds are ordinary cells and outputs, so that nbgrader's own steps, and whoever reads it,
need nothing of the kit.
"""

from __future__ import annotations

from typing import Any

import nbformat

from autograder.course import pages, safehtml
from autograder.course.mend import Cell, Mended
from autograder.course.place import NOTEBOOK
from autograder.course.session import Session, notebook_of
from autograder.export.markup import in_markdown
from autograder.handin import Submission
from autograder.messages import ui
from autograder.results import SubmissionResult

MAX_SHOWN = 2**16  # bytes of a file that was handed in


def graded_notebook(
    session: Session, made: Mended, submission: Submission, result: SubmissionResult
) -> Any:
    """Give the notebook with its outputs: the student's, and the graders' in grade cells."""
    cells = made.cells
    count = _student_outputs(session, cells)
    exercises = {f"grade_{each.exercise}": each for each in result.exercises}
    for cell in cells:
        mark = _mark(cell)
        if not mark.get("grade"):
            continue
        count += 1
        found = exercises.get(mark["grade_id"])
        if found is None:
            score, page = 0.0, pages.unreadable_page(result, session.course.lang)
        else:
            score, page = found.score, pages.exercise_page(found, session.course.lang)
        cell["execution_count"] = count
        cell["outputs"] = [graded_output(score, mark["points"], page, count)]
    if notebook_of(submission) is None:
        cells += [_file_cell(name, data) for name, data in submission.files]
    notes = _notes(session, made, submission, result)
    if notes:
        text = "\n".join(f"- {sentence}" for sentence in notes)
        cells.insert(0, {"cell_type": "markdown", "metadata": {}, "source": text})
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return nbformat.from_dict(
        {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    )


def _student_outputs(session: Session, cells: list[Cell]) -> int:
    """Run a student's cells for what they show; give the last number of execution."""
    runnable = [n for n, cell in enumerate(cells) if cell["cell_type"] == "code"]
    runnable = [n for n in runnable if not _mark(cells[n]).get("grade")]
    shown = session.screen.run([cells[n]["source"] for n in runnable])
    for number, each in zip(runnable, shown, strict=True):
        cells[number]["outputs"] = [safehtml.output(one) for one in each.outputs]
        cells[number]["execution_count"] = each.count
    for cell in cells:
        if cell["cell_type"] != "code":
            shown_as = safehtml.markdown if cell["cell_type"] == "markdown" else safehtml.raw
            cell["source"] = shown_as(cell["source"])
    return max((each.count or 0 for each in shown), default=0)


def _notes(
    session: Session, made: Mended, submission: Submission, result: SubmissionResult
) -> list[str]:
    lang = session.course.lang
    notes = [result.notice] if result.notice else []
    if result.status == "graded":
        notes += [ui(f"course.{code}", lang, **slots) for code, slots in made.notices]
    files = [name for name, _ in submission.files if name != NOTEBOOK]
    if files and notebook_of(submission) is None:
        notes.append(ui("course.as-files", lang, files=", ".join(files)))
    return [in_markdown(note) for note in notes]


def graded_output(score: float, most: float, page: str, count: int) -> Cell:
    """Give a grade cell's output: a plain number within the maximum, and the page."""
    number = min(max(float(score), 0.0), float(most))
    return {
        "output_type": "execute_result",
        "data": {"text/plain": repr(number), "text/html": page},
        "metadata": {},
        "execution_count": count,
    }


def _file_cell(name: str, data: bytes) -> Cell:
    """Give a file's text as a cell that is not run, for whoever reads what was handed in."""
    text = f"# {name}\n" + data[:MAX_SHOWN].decode("utf-8", "replace")
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": text,
    }


def _mark(cell: Cell) -> Cell:
    mark = cell["metadata"].get("nbgrader")
    return mark if isinstance(mark, dict) else {}
