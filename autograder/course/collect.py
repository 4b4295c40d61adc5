"""Take what students handed in elsewhere into nbgrader's folders: zips, platforms, mail.

Whose a file is comes from its name and the class list, never from a guess. A student's newest
whole attempt stands in ``submitted``; what it replaces is kept beside. What cannot be read never
takes the place of what could.
"""

from __future__ import annotations

import datetime
import shutil
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from autograder import messages, quizslip
from autograder.course.place import RECORDS, Course, quoted
from autograder.course.roster import Student, id_problem, near
from autograder.folder import InZip, Node, OnDisk, Unreadable
from autograder.handin import Found, Submission
from autograder.submission import find

STAMP = "timestamp.txt"
MAX_RAW = 32 * 2**20
FORMAT = "%Y-%m-%d %H:%M:%S UTC"


@dataclass(frozen=True)
class Taken:
    """One hand-in: where it was, whose it is, what became of it.

    Attributes
    ----------
    original : str
    student : str or None
        None where nobody could be told.
    files : tuple of str
        What stands in the student's folder now.
    outcome : str
        ``collected``, ``same``, ``older``, ``unreadable``, ``unmatched``, ``not an id``.
    time : datetime or None
        When it was handed in, UTC.
    note : str
    """

    original: str
    student: str | None
    files: tuple[str, ...]
    outcome: str
    time: datetime.datetime | None = None
    note: str = ""
    late: bool = False


@dataclass(frozen=True)
class Collection:
    """What one collecting did.

    Attributes
    ----------
    taken : tuple of Taken
    missing : tuple of str
        Students of the class list without a hand-in.
    """

    taken: tuple[Taken, ...]
    missing: tuple[str, ...]

    @property
    def troubled(self) -> list[Taken]:
        """What needs a look."""
        return [each for each in self.taken if each.outcome not in ("collected", "same", "older")]


@dataclass
class Collector:
    """Puts hand-ins into a course.

    Attributes
    ----------
    students : sequence of Student
        The class list; where it is empty, every id is a student.
    due : datetime or None
        UTC.
    dry : bool
        Only say what would be done.
    """

    course: Course
    students: Sequence[Student]
    due: datetime.datetime | None = None
    dry: bool = False
    _names: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for each in self.students:
            first, last = each.first_name, each.last_name
            for name in {f"{first} {last}", f"{last} {first}", f"{last}, {first}"}:
                if _bare(name):
                    self._names.setdefault(_bare(name), []).append(each.id)
        self._names = {name: sorted(set(ids)) for name, ids in self._names.items()}

    def collect(self, paths: Sequence[Path]) -> Collection:
        """Take everything in `paths`.

        Raises
        ------
        SubmissionError
            Where a path is missing or holds nothing that could be a hand-in.
        """
        found, _ = find(paths, self.course.kit().ids)
        taken = []
        claimed: dict[str, str] = {}
        for one in found:
            student, note = self._whose(one)
            if student is not None and student in claimed:
                note = f"{student} has another hand-in here: {claimed[student]}"
                taken.append(Taken(_original(one), None, (), "unmatched", note=note))
                continue
            if student is None:
                taken.append(Taken(_original(one), None, (), "unmatched", note=note))
                continue
            claimed[student] = _original(one)
            taken.append(self._take(one, student))
        return Collection(tuple(taken), self.missing())

    def missing(self) -> tuple[str, ...]:
        """Give the students of the class list who have nothing in ``submitted``."""
        return tuple(
            each.id for each in self.students if not self.course.step("submitted", each.id).is_dir()
        )

    # -- whose it is -----------------------------------------------------------------------

    def _whose(self, found: Found) -> tuple[str | None, str]:
        """Give the student, or None and the reason."""
        ids = [each.id for each in self.students]
        name = found.id
        if not ids:
            problem = id_problem(name)
            return (None, problem) if problem else (name, "")
        if name in ids:
            return name, ""
        stem, _, number = name.rpartition("_")
        if number in ids:
            return number, ""
        for text in (name, stem):
            named = self._names.get(_bare(text), [])
            if len(named) == 1:
                return named[0], ""
            if named:
                return None, f"{text} may be {' or '.join(named)}"
        slip = near(name, ids)
        hint = f"; {slip} is, and differs only in zeros or case" if slip else ""
        return None, f"{name} is not in the class list{hint}"

    # -- putting it there ------------------------------------------------------------------

    def _take(self, found: Found, student: str) -> Taken:
        original, time = _original(found), _time(found)
        submission = found.read()
        late = self.due is not None and time is not None and time > self.due
        if submission.status != "ok":
            if not self.dry and not self.course.step("submitted", student).exists():
                self._put_raw(student, found, time)
            return Taken(original, student, (), "unreadable", time, _why(submission), late)
        files = tuple(name for name, _ in submission.files)
        note = _notes(submission)
        folder = self.course.step("submitted", student)
        if folder.is_dir():
            before = _stamp(folder)
            if _same(folder, submission):
                return Taken(original, student, files, "same", time, note, late)
            if before is not None and time is not None and time < before:
                return Taken(original, student, (), "older", time, note, late)
        if not self.dry:
            try:
                self._put(folder, student, submission, time)
            except OSError as error:  # a file under a name that is a folder's, or too long
                why = f"its files cannot be written: {error.strerror}"
                return Taken(original, student, (), "unreadable", time, why, late)
        return Taken(original, student, files, "collected", time, note, late)

    def _put_raw(self, student: str, found: Found, time: datetime.datetime | None) -> None:
        """Let somebody's first hand-in be seen when graded, although it cannot be read."""
        folder = self.course.step("submitted", student)
        folder.mkdir(parents=True)
        when = time or datetime.datetime.now(datetime.UTC)
        (folder / STAMP).write_text(when.strftime(FORMAT), encoding="utf-8")
        for _, node, name in found.roots[:1]:
            if node.kind == "file":
                with suppress(Unreadable):
                    (folder / f"unreadable{Path(name).suffix}").write_bytes(node.read(MAX_RAW))

    def _put(
        self,
        folder: Path,
        student: str,
        submission: Submission,
        time: datetime.datetime | None,
    ) -> None:
        """Write a whole attempt beside the old one, then let it take the old one's place."""
        fresh = folder.with_name(f"{folder.name}.new")
        if fresh.exists():
            shutil.rmtree(fresh)
        fresh.mkdir(parents=True)
        for name, data in submission.files:
            place = fresh / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        if submission.quiz:
            (fresh / quizslip.RECORD).write_text(quizslip.record(submission.quiz), "utf-8")
        when = time or datetime.datetime.now(datetime.UTC)
        (fresh / STAMP).write_text(when.strftime(FORMAT), encoding="utf-8")
        if folder.is_dir():
            kept = self.course.root / RECORDS / "attempts" / quoted(student)
            kept.mkdir(parents=True, exist_ok=True)
            number = sum(1 for _ in kept.iterdir()) + 1
            shutil.move(folder, kept / f"{number:03}")
        fresh.rename(folder)


def _bare(name: str) -> str:
    """Give a name's letters alone, as platforms shorten it."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in folded if c.isalnum())


def _original(found: Found) -> str:
    return ", ".join(shown for _, _, shown in found.roots) or found.id


def _notes(submission: Submission) -> str:
    said = [messages.render(f"notice.{code}", slots, "en") for code, slots in submission.notices]
    return " ".join(dict.fromkeys(said))


def _why(submission: Submission) -> str:
    code, slots = submission.reason or ("empty", {})
    return messages.render(f"unreadable.{code}", slots, "en")


def _time(found: Found) -> datetime.datetime | None:
    """Give when a hand-in was made: by its platform's name, else by its newest file."""
    with suppress(ValueError):
        return _moment(found.attempt.split("-")).replace(tzinfo=datetime.UTC)
    # On a platform, a file of that name is the student's own.
    times = [time for _, node, _ in found.roots for time in _times(node, 0, not found.key)]
    return max(times, default=None)


def _times(node: Node, depth: int, stamped: bool) -> Iterable[datetime.datetime]:
    if isinstance(node, InZip):
        if node.member is not None and len(node.member.time) == 6:
            try:
                yield _moment(node.member.time).astimezone(datetime.UTC)
            except (ValueError, OverflowError, OSError):
                return
        for inside in node.inside.values():
            yield from _times(inside, depth + 1, stamped)
    elif isinstance(node, OnDisk):
        stamp = _stamp(node.path) if stamped and node.kind == "folder" else None
        if stamp is not None:
            yield stamp
        elif node.kind == "file":
            yield datetime.datetime.fromtimestamp(node.path.stat().st_mtime, datetime.UTC)
        elif node.kind == "folder" and depth < 4:
            for child in node.children()[:200]:
                yield from _times(child, depth + 1, stamped)


def _moment(parts: Iterable[str | int]) -> datetime.datetime:
    year, month, day, hour, minute, second = map(int, parts)
    return datetime.datetime(year, month, day, hour, minute, second)


def _stamp(folder: Path) -> datetime.datetime | None:
    """Read a folder's timestamp, as nbgrader and we write it."""
    try:
        text = (folder / STAMP).read_text(encoding="utf-8", errors="replace").strip()
        text = text.removesuffix(" UTC")
        found = datetime.datetime.fromisoformat(text)
    except (OSError, ValueError):
        return None
    return found.replace(tzinfo=datetime.UTC) if found.tzinfo is None else found


def _same(folder: Path, submission: Submission) -> bool:
    try:
        return all((folder / name).read_bytes() == data for name, data in submission.files)
    except OSError:
        return False
