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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from nbgrader import converters, utils
from nbgrader.api import MissingEntry
from nbgrader.converters.base import BaseConverter, NbGraderException
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import configure_mappers

from autograder.course import pages
from autograder.course.gradebook import GradebookLocked, open_gradebook
from autograder.course.mend import Expected, mended
from autograder.course.place import ASSIGNMENT, NOTEBOOK, SETTINGS
from autograder.course.saving import Entries, save
from autograder.course.sidebyside import can_fork, cores, side_by_side
from autograder.record import write_whole
from autograder.results import SubmissionResult

if TYPE_CHECKING:  # nbgrader's other commands import this module too, and need no engine
    from autograder.course.session import Session

_Stock: Any = converters.autograde.Autograde
NBGRADER_ID = Path(NOTEBOOK).stem
TRIES = 2  # of a student whose process is ended from outside, as where memory runs out
ENDED = (
    "the process that graded it was ended twice, as happens where memory runs out; "
    "`attn course grade --jobs 1` tries again"
)


@dataclass(frozen=True)
class Told:
    """What became of one student.

    Attributes
    ----------
    status : str or None
        The hand-in's; None where nbgrader skips it, or it could not be graded.
    reason : str or None
        Why it could not be graded.
    locked : bool
        Whether another program holds the gradebook: then nobody can be graded.
    isolation : tuple of str
        The level under which it was graded, then its layers.
    """

    student: str
    status: str | None = None
    score: float | None = None
    notice: str | None = None
    reason: str | None = None
    locked: bool = False
    isolation: tuple[str, ...] = ()


class Autograde(_Stock):  # type: ignore[misc]
    """Grades the kit's assignment isolated, and every other one as nbgrader does."""

    _session: Session | None = None
    jobs: int = 0  # processes side by side; as many as there are cores where 0
    only: Sequence[str] = ()  # students; all that nbgrader's own options name where empty
    say: Callable[[Told], None] | None = None
    failed: tuple[str, ...] = ()
    _opened: Any = None
    _cells: tuple[Expected, ...] = ()

    def start(self) -> None:
        """Grade what the command names."""
        course = Path(self.coursedir.root)
        if self.coursedir.assignment_id != ASSIGNMENT or not (course / SETTINGS).is_file():
            super().start()
            return
        from autograder.course.session import session

        self._session = session(course.resolve())
        super().start()

    def init_notebooks(self) -> None:
        """Take every student's folder, whatever is in it."""
        if self._session is None:
            super().init_notebooks()
            return
        pattern = self._format_source(ASSIGNMENT, self.coursedir.student_id)
        folders = sorted(path for path in glob.glob(pattern) if Path(path).is_dir())  # noqa: PTH207
        if self.only:
            folders = [path for path in folders if Path(path).parent.name in self.only]
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
        for number, told in enumerate(self._all(sorted(self.assignments)), start=1):
            if told.locked:
                raise NbGraderException(told.reason)
            if self.say is not None:
                self.say(told)
            if told.reason is not None:
                failed.append(f"{told.student}: {told.reason}")
                continue
            if told.status is None:  # what nbgrader skips: graded already
                continue
            score = "no score" if told.score is None else f"{told.score:g}"
            sentence = f"{told.student}: {told.status}, {score} ({number}/{len(self.assignments)})"
            (self.log.info if told.score is not None else self.log.warning)(sentence)
            if told.notice:
                self.log.warning("%s: %s", told.student, told.notice)
        self.failed = tuple(failed)
        if failed:
            for sentence in failed:
                self.log.error("Not graded: %s", sentence)
            raise NbGraderException(f"{len(failed)} could not be graded: " + "; ".join(failed))

    def _all(self, folders: Sequence[str]) -> Iterator[Told]:
        assert self._session is not None
        jobs = min(self.jobs or cores(), len(folders))
        if jobs > 1 and can_fork():
            configure_mappers()  # once, where each process would
            yield from side_by_side(folders, self._told, self._gone, self._session.close, jobs)
            return
        try:
            for folder in folders:
                yield self._told(folder)
        finally:
            self._close()

    def _told(self, folder: str) -> Told:
        """Grade one student's folder; whatever fails is told, and leaves nothing half written."""
        assert self._session is not None
        student = Path(folder).parent.name
        self.notebooks = self.assignments[folder]
        try:
            if not (Path(self._format_dest(ASSIGNMENT, student)) / NOTEBOOK).is_file():
                self._undo(student)  # what a process left that was killed at it
            if not self.init_destination(ASSIGNMENT, student):
                return Told(student)
            self._session.screen.warm()
            self.run_pre_convert_hook()
            result = self._grade(student)
            self.set_permissions(ASSIGNMENT, student)
            self.run_post_convert_hook()
        except KeyboardInterrupt:
            self._undo(student)
            raise
        except GradebookLocked as error:
            self._undo(student)
            return Told(student, reason=str(error), locked=True)
        except Exception as error:  # one student's fault, named below, must not stop the rest
            self.log.debug(traceback.format_exc())
            self._undo(student)
            return Told(student, reason=f"{type(error).__name__}: {error}")
        isolation = self._session.isolation
        return Told(student, result.status, result.score, result.notice, isolation=isolation)

    def _gone(self, folder: str, times: int) -> Told | None:
        """Say what becomes of a student whose process ended by itself: another try, one."""
        student = Path(folder).parent.name
        self._undo(student)
        if times < TRIES:
            self.log.warning("%s: the process that graded it was ended; once more", student)
            return None
        return Told(student, reason=ENDED)

    def _undo(self, student: str) -> None:
        """Leave no half-written folder, so that the next run grades this student again."""
        dest = Path(self._format_dest(ASSIGNMENT, student))
        if dest.is_dir():
            utils.rmtree(str(dest))

    # -- one student -----------------------------------------------------------------------

    def _grade(self, student: str) -> SubmissionResult:
        from autograder.course.gradedbook import graded_notebook
        from autograder.course.session import notebook_of

        assert self._session is not None
        folder = Path(self._format_source(ASSIGNMENT, student)).resolve()
        submission = self._session.read(folder, student)
        stamp = self._timestamp(folder)
        result = self._session.grade(submission)
        dest = Path(self._format_dest(ASSIGNMENT, student))
        dest.mkdir(parents=True, exist_ok=True)
        self._copy(folder, dest)
        with self._gradebook() as gradebook:
            self._cells = self._cells or tuple(self._expected(gradebook))
            self._enter(gradebook, student, stamp)
            made = mended(notebook_of(submission), self._cells)
            book = graded_notebook(self._session, made, submission, result)
            resources = self.init_single_notebook_resources(
                str(Path(self._format_source(ASSIGNMENT, student)) / NOTEBOOK)
            )
            entries = Entries(gradebook, NBGRADER_ID, ASSIGNMENT, student)
            book = save(self, gradebook, entries, book, resources)
            self._comments(entries, result)
            gradebook.db.commit()
        # Only who is in the gradebook is remembered; and the notebook, which says that all was
        # done, comes last. A process may be killed between any two of these lines.
        self._session.keep(submission, result, "" if stamp is None else str(stamp))
        # Made by us from the ground up, so it need not be validated once more.
        data = (nbformat.v4.writes(book) + "\n").encode()
        write_whole(dest / NOTEBOOK, data, durable=False)
        return result

    @contextmanager
    def _gradebook(self) -> Iterator[Any]:
        """Give the gradebook for one student: opened once in each process, nothing left in it."""
        try:
            if self._opened is None:
                root = Path(self.coursedir.root)
                self._opened = open_gradebook(root, self.coursedir.course_id)
            yield self._opened
        except OperationalError as error:
            if "locked" in str(error):
                raise GradebookLocked("another program holds gradebook.db") from error
            raise
        finally:
            if self._opened is not None:
                self._opened.db.remove()

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None

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
        if not secret.exists():  # `nbgrader submit` makes one
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

    def _comments(self, entries: Entries, result: SubmissionResult) -> None:
        """Write the sentence for each exercise at its first solution cell."""
        assert self._session is not None
        course, kit = self._session.course, self._session.kit
        readable = {each.exercise: each for each in result.exercises}
        for each in course.chosen(kit):
            found = readable.get(each)
            sentence = pages.comment(found, course.lang) if found else pages.notice(result)
            begun = found is not None and found.status not in ("missing", "not_attempted")
            for number, name in enumerate(kit.exercise(each).names):
                comment = entries.find_comment(name)
                if number == 0 and (sentence or begun):
                    comment.auto_comment = sentence
                elif begun and found is not None and found.status == "passed":
                    comment.auto_comment = None  # handed in as a file: the cell is untouched
        if result.score is None:
            for grade in entries.grades.values():
                grade.auto_score = 0.0
                grade.needs_manual_grade = True


__all__ = ["Autograde", "BaseConverter", "Told"]
