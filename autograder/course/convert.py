"""nbgrader's Autograde for a course of the kit: the same steps and files, none of its traps.

For the kit's own assignment, a student's folder is read as `attn grade` reads it, the notebook is
mended, run in an isolated worker, graded in this process, and given to nbgrader's own
preprocessors as ordinary outputs. One student's fault never stops the others. Other assignments
of the course go through stock nbgrader, untouched.
"""

from __future__ import annotations

import datetime
import glob
import hmac
import shutil
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from nbgrader import converters, preprocessors, utils
from nbgrader.api import MissingEntry
from nbgrader.converters.base import BaseConverter, NbGraderException
from sqlalchemy.exc import OperationalError

from autograder.course import pages, safehtml
from autograder.course.gradebook import GradebookLocked, open_gradebook
from autograder.course.mend import Cell, Expected, Mended, mended
from autograder.course.place import ASSIGNMENT, NOTEBOOK, SETTINGS
from autograder.course.session import Session, notebook_of, session
from autograder.handin import Submission
from autograder.messages import ui
from autograder.results import SubmissionResult

_Stock: Any = converters.autograde.Autograde
NBGRADER_ID = Path(NOTEBOOK).stem
MAX_SHOWN = 2**16  # bytes of a file that was handed in


class Autograde(_Stock):  # type: ignore[misc]
    """Grades the kit's assignment isolated, and every other one as nbgrader does."""

    _session: Session | None = None

    def start(self) -> None:
        """Grade what the command names."""
        course = Path(self.coursedir.root)
        if self.coursedir.assignment_id != ASSIGNMENT or not (course / SETTINGS).is_file():
            super().start()
            return
        self._session = session(course.resolve())
        super().start()

    def init_notebooks(self) -> None:
        """Take every student's folder, whatever is in it."""
        if self._session is None:
            super().init_notebooks()
            return
        pattern = self._format_source(ASSIGNMENT, self.coursedir.student_id)
        folders = sorted(path for path in glob.glob(pattern) if Path(path).is_dir())  # noqa: PTH207
        self.assignments = {path: [str(Path(path) / NOTEBOOK)] for path in folders}
        if not folders:
            message = f"There is nothing to grade at '{pattern}'"
            self.log.error(message)
            raise NbGraderException(message)

    def convert_notebooks(self) -> None:
        """Grade every folder; name at the end whoever could not be graded."""
        if self._session is None:
            super().convert_notebooks()
            return
        failed = []
        for number, (folder, notebooks) in enumerate(sorted(self.assignments.items()), start=1):
            student = Path(folder).parent.name
            self.notebooks = notebooks
            try:
                if not self.init_destination(ASSIGNMENT, student):
                    continue
                self.run_pre_convert_hook()
                result = self._grade(student)
                self.set_permissions(ASSIGNMENT, student)
                self.run_post_convert_hook()
            except KeyboardInterrupt:
                self._undo(student)
                raise
            except GradebookLocked as error:
                self._undo(student)
                raise NbGraderException(str(error)) from error
            except Exception as error:  # one student's fault, named below, must not stop the rest
                self.log.debug(traceback.format_exc())
                self._undo(student)
                failed.append(f"{student}: {type(error).__name__}: {error}")
                continue
            score = "no score" if result.score is None else f"{result.score:g}"
            told = f"{student}: {result.status}, {score} ({number}/{len(self.assignments)})"
            (self.log.info if result.score is not None else self.log.warning)(told)
            if result.notice:
                self.log.warning("%s: %s", student, result.notice)
        if failed:
            for sentence in failed:
                self.log.error("Not graded: %s", sentence)
            raise NbGraderException(f"{len(failed)} could not be graded: " + "; ".join(failed))

    def _undo(self, student: str) -> None:
        """Leave no half-written folder, so that the next run grades this student again."""
        dest = Path(self._format_dest(ASSIGNMENT, student))
        if dest.is_dir():
            utils.rmtree(str(dest))

    # -- one student -----------------------------------------------------------------------

    def _grade(self, student: str) -> SubmissionResult:
        assert self._session is not None
        folder = Path(self._format_source(ASSIGNMENT, student)).resolve()
        submission = self._session.read(folder, student)
        stamp = self._timestamp(folder)
        result = self._session.grade(submission, "" if stamp is None else str(stamp))
        dest = Path(self._format_dest(ASSIGNMENT, student))
        dest.mkdir(parents=True, exist_ok=True)
        self._copy(folder, dest)
        with self._gradebook() as gradebook:
            expected = self._expected(gradebook)
            self._enter(gradebook, student, stamp)
            made = mended(notebook_of(submission), expected)
            book = self._notebook(made, submission, result)
            resources = self.init_single_notebook_resources(
                str(Path(self._format_source(ASSIGNMENT, student)) / NOTEBOOK)
            )
            book, resources = self._through_nbgrader(gradebook, book, resources)
            self._comments(gradebook, student, result)
        path = dest / NOTEBOOK
        path.write_text(nbformat.writes(book) + "\n", encoding="utf-8")
        return result

    @contextmanager
    def _gradebook(self) -> Iterator[Any]:
        try:
            with open_gradebook(Path(self.coursedir.root), self.coursedir.course_id) as gradebook:
                yield gradebook
        except OperationalError as error:
            if "locked" in str(error):
                raise GradebookLocked("another program holds gradebook.db") from error
            raise

    def _timestamp(self, folder: Path) -> Any:
        try:
            return self.coursedir.get_existing_timestamp(str(folder))
        except (ValueError, OverflowError, OSError, AttributeError):  # its own complaint fails
            self.log.warning("%s: timestamp.txt is no time; it is left aside", folder.parent.name)
            return None

    def _copy(self, folder: Path, dest: Path) -> None:
        """Copy the student's files beside the notebook, then the course's own over them."""
        self._tree(folder, dest)
        source = Path(self.coursedir.format_path(self.coursedir.source_directory, ".", ASSIGNMENT))
        kept = set(self.exclude_overwriting.get(ASSIGNMENT, []))
        self._tree(source, dest, kept)
        stamp = dest / "timestamp.txt"  # release_feedback cannot do without either
        if not stamp.exists():
            when = datetime.datetime.fromtimestamp(folder.stat().st_mtime, datetime.UTC)
            stamp.write_text(when.strftime("%Y-%m-%d %H:%M:%S UTC"), encoding="utf-8")
        secret = dest / "submission_secret.txt"
        if (
            not secret.exists()
        ):  # `nbgrader submit` makes one, and release_feedback cannot do without
            assert self._session is not None
            key, student = self._session.course.secret(), folder.parent.name
            secret.write_text(hmac.digest(key, student.encode(), "sha256").hex(), encoding="utf-8")

    def _tree(self, source: Path, dest: Path, left: set[str] = frozenset()) -> None:  # type: ignore[assignment]
        if not source.is_dir():
            return
        ignored = [*self.coursedir.ignore, "*.ipynb"]
        for name in utils.find_all_files(str(source), ignored):
            path = Path(name)
            relative = path.relative_to(source)
            if path.is_symlink() or not path.is_file() or str(relative) in left:
                continue
            place = dest / relative
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.exists():
                place.unlink()
            shutil.copyfile(path, place)

    def _expected(self, gradebook: Any) -> list[Expected]:
        try:
            notebook = gradebook.find_notebook(NBGRADER_ID, ASSIGNMENT)
        except MissingEntry:
            raise NbGraderException(
                "The assignment is not released yet: run `nbgrader generate_assignment "
                f"{ASSIGNMENT}` first"
            ) from None
        points = {cell.name: float(cell.max_score) for cell in notebook.grade_cells}
        solutions = {cell.name for cell in notebook.solution_cells}
        return [
            Expected(
                cell.name,
                str(cell.cell_type),
                cell.source or "",
                cell.checksum,
                bool(cell.locked),
                cell.name in points,
                cell.name in solutions,
                points.get(cell.name),
            )
            for cell in notebook.source_cells
        ]

    def _enter(self, gradebook: Any, student: str, stamp: datetime.datetime | None) -> None:
        """Enter the student and this hand-in; the old marks never stand under the new time."""
        if self.create_student:
            gradebook.update_or_create_student(student)
        else:
            gradebook.find_student(student)
        told = {} if stamp is None else {"timestamp": stamp}
        entry = gradebook.update_or_create_submission(ASSIGNMENT, student, **told)
        if stamp is not None and entry.total_seconds_late > 0:
            self.log.warning("%s is %d seconds late", student, entry.total_seconds_late)

    # -- the notebook ----------------------------------------------------------------------

    def _notebook(self, made: Mended, submission: Submission, result: SubmissionResult) -> Any:
        """Give the notebook with its outputs: the student's, and the graders' in grade cells."""
        assert self._session is not None
        lang = self._session.course.lang
        cells = made.cells
        runnable = [n for n, cell in enumerate(cells) if cell["cell_type"] == "code"]
        runnable = [n for n in runnable if not _mark(cells[n]).get("grade")]
        shown = self._session.screen.run([cells[n]["source"] for n in runnable])
        for number, each in zip(runnable, shown, strict=True):
            cells[number]["outputs"] = [safehtml.output(one) for one in each.outputs]
            cells[number]["execution_count"] = each.count
        count = max((each.count or 0 for each in shown), default=0)
        for cell in cells:
            if cell["cell_type"] != "code":
                cell["source"] = safehtml.markdown(cell["source"])
        exercises = {f"grade_{each.exercise}": each for each in result.exercises}
        for cell in cells:
            mark = _mark(cell)
            if not mark.get("grade"):
                continue
            count += 1
            found = exercises.get(mark["grade_id"])
            if found is None:
                score, page = 0.0, pages.unreadable_page(result, lang)
            else:
                score, page = found.score, pages.exercise_page(found, lang)
            cell["execution_count"] = count
            cell["outputs"] = [graded_output(score, mark["points"], page, count)]
        if notebook_of(submission) is None:
            cells += [_file_cell(name, data) for name, data in submission.files]
        notes = self._notes(made, submission, result)
        if notes:
            text = "\n".join(f"- {sentence}" for sentence in notes)
            cells.insert(0, {"cell_type": "markdown", "metadata": {}, "source": text})
        book = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        book["metadata"] = {
            "kernelspec": {
                "display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3",
            },
            "language_info": {"name": "python"},
        }  # fmt: skip
        for number, cell in enumerate(cells):
            cell["id"] = f"cell-{number}"
        book["cells"] = cells
        return nbformat.from_dict(book)

    def _notes(self, made: Mended, submission: Submission, result: SubmissionResult) -> list[str]:
        assert self._session is not None
        lang = self._session.course.lang
        notes = [result.notice] if result.notice else []
        if result.status == "graded":
            notes += [ui(f"course.{code}", lang, **slots) for code, slots in made.notices]
        files = [name for name, _ in submission.files if name != NOTEBOOK]
        if files and notebook_of(submission) is None:
            notes.append(ui("course.as-files", lang, files=", ".join(files)))
        return [_one_line(note) for note in notes]

    def _through_nbgrader(self, gradebook: Any, book: Any, resources: Any) -> tuple[Any, Any]:
        """Let nbgrader's own preprocessors save the grades, all of them in one transaction."""
        resources = nbformat.from_dict({**resources, "metadata": {}})
        for kind in (preprocessors.IgnorePattern, preprocessors.LimitOutput, SaveInOne):
            step = kind(parent=self, config=self.config)
            if kind is SaveInOne:
                step.shared = gradebook
            step.enabled = True
            book, resources = step(book, resources)
        step = preprocessors.AssignLatePenalties(parent=self, config=self.config)
        entry = gradebook.find_submission(ASSIGNMENT, resources["nbgrader"]["student"])
        if entry.total_seconds_late > 0 or entry.late_submission_penalty:
            gradebook.db.commit()
            step.enabled = True
            book, resources = step(book, resources)
        return book, resources

    def _comments(self, gradebook: Any, student: str, result: SubmissionResult) -> None:
        """Write the sentence for each exercise at its first solution cell."""
        assert self._session is not None
        course, kit = self._session.course, self._session.kit
        readable = {each.exercise: each for each in result.exercises}
        for each in course.chosen(kit):
            found = readable.get(each)
            sentence = pages.comment(found, course.lang) if found is not None else result.notice
            begun = found is not None and found.status not in ("missing", "not_attempted")
            for number, name in enumerate(kit.exercise(each).names):
                comment = gradebook.find_comment(name, NBGRADER_ID, ASSIGNMENT, student)
                if number == 0 and (sentence or begun):
                    comment.auto_comment = sentence
                elif begun and found is not None and found.status == "passed":
                    comment.auto_comment = None  # handed in as a file: the cell is untouched
        if result.score is None:
            entry = gradebook.find_submission_notebook(NBGRADER_ID, ASSIGNMENT, student)
            for grade in entry.grades:
                grade.auto_score = 0.0
                grade.needs_manual_grade = True
        gradebook.db.commit()


class SaveInOne(preprocessors.SaveAutoGrades):  # type: ignore[misc]
    """Stock SaveAutoGrades on a gradebook that is open already, without a commit a cell."""

    shared: Any = None

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        self.notebook_id = resources["nbgrader"]["notebook"]
        self.assignment_id = resources["nbgrader"]["assignment"]
        self.student_id = resources["nbgrader"]["student"]
        self.gradebook = _Uncommitted(self.shared)
        for index, cell in enumerate(nb.cells):
            self.preprocess_cell(cell, resources, index)
        return nb, resources


class _Uncommitted:
    """A gradebook whose commits wait for the one at the end."""

    def __init__(self, gradebook: Any) -> None:
        self._gradebook, self.db = gradebook, self

    def commit(self) -> None:
        self._gradebook.db.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._gradebook, name)


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


def _one_line(text: str) -> str:
    return " ".join(text.replace("<", "‹").replace(">", "›").split())


__all__ = ["Autograde", "BaseConverter", "graded_output"]
