"""The student's desk: run the visible checks on her own folder, with numbers played back.

Works from a folder that holds nothing but the bundle. The checks come from test_exercises.py,
what they draw and expect from checks.json; her code runs in a worker, as it does when graded.
The module must not import pytest or anything else that is slow: `attn check` starts it cold.
"""

from __future__ import annotations

import atexit
import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from autograder import messages
from autograder.aside import said, shared_out
from autograder.bundle import MODULE, Source, needed, numbers
from autograder.check import Check, check_of
from autograder.exercise import KitNotFound
from autograder.finding import Finding
from autograder.folder import OnDisk
from autograder.grade import Checks, Graders
from autograder.handin import Found, Submission
from autograder.judge import Judge, Judged
from autograder.messages import Lang, ui
from autograder.playback import PlaybackReference, PlaybackRng, Record
from autograder.policy import Noticed
from autograder.sandbox import Sandbox
from autograder.stub import PLACEHOLDER
from autograder.student import Student
from autograder.verdict import Verdict

CHECKS, DATA = "test_exercises.py", "checks.json"
WAITS = PLACEHOLDER[0]

Function: TypeAlias = Callable[..., None]


class DeskNotFound(KitNotFound):
    """There is no student's folder here, or it is not whole; the message is a sentence."""


# The folder


@dataclass(frozen=True)
class Desk:
    """A student's folder.

    Attributes
    ----------
    folder : Path
    checks : mapping
        Exercise to its visible checks, in the order of the course.
    data : mapping
        What checks.json holds.
    """

    folder: Path
    checks: Checks
    data: Mapping[str, Any]

    def about(self, exercise: str) -> Mapping[str, Any]:
        """Give an exercise's title, title_zh, minutes, difficulty, names and points."""
        about: Mapping[str, Any] = self.data["exercises"][exercise]["about"]
        return about

    def known(self, exercises: Iterable[str], lang: Lang | None = None) -> None:
        """Refuse exercises that are not in the folder, and "" where one is to be named.

        Raises
        ------
        DeskNotFound
        """
        if strange := [each for each in exercises if each not in self.checks]:
            slots = {"name": strange[0], "exercises": ", ".join(self.checks)}
            key = "desk.no_exercise" if strange[0] else "desk.which_exercise"
            raise DeskNotFound(ui(key, lang or messages.language(), **slots))

    def hidden(self, exercise: str) -> int:
        """Give how many checks more an exercise has when it is graded."""
        return int(self.about(exercise).get("hidden", 0))

    def forbidden(self, exercise: str) -> Sequence[str]:
        """Give what an exercise is to be solved without."""
        return tuple(self.about(exercise).get("forbidden", ()))

    def targets(self, exercise: str, check: str) -> Sequence[Record]:
        """Give the tables that are right answers to what a visible check asks, encoded."""
        found: Sequence[Record] = self.data["exercises"][exercise]["checks"][check].get(
            "target", ()
        )
        return found

    @property
    def names(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Each exercise with its graded names."""
        return tuple((each, tuple(self.about(each)["names"])) for each in self.data["order"])

    def place(self, exercise: str) -> int | None:
        """Give the line of an exercise's file that waits for code, where one does."""
        try:
            lines = (self.folder / f"{exercise}.py").read_text("utf-8").split("\n")
        except (OSError, UnicodeDecodeError):
            return None
        waiting = (number for number, line in enumerate(lines, 1) if line.strip() == WAITS)
        return next(waiting, None)

    def diagnose(self, judged: Judged) -> Finding | None:
        """Name what failed answers show, from the sketches of known mistakes in checks.json."""
        if judged.state != "attempted" or judged.passed:
            return None
        from autograder.sketch import diagnose_from  # nothing of it is needed where all is well

        data = self.data["exercises"][judged.exercise].get("mistakes")
        return diagnose_from(data, judged.trace, judged.outcomes) if data else None

    def files(self) -> Sequence[tuple[str, bytes]]:
        """Give the student's own files, chosen as they are when handed in; see `read`."""
        return self.read().files

    def read(self) -> Submission:
        """Read the student's own files as they are read when handed in, with what is odd.

        Raises
        ------
        DeskNotFound
            Where they cannot be read at all.
        """
        root = ("", OnDisk.at(self.folder), self.folder.name)
        read = Found(self.folder.name, tuple(self.checks), [root]).read()
        if read.status == "unreadable" and read.reason is not None:
            code, slots = read.reason
            raise DeskNotFound(messages.render(f"unreadable.{code}", slots, messages.language()))
        return read


def find_folder(explicit: Path | None = None) -> Path:
    """Find the student's folder: `explicit`, else here, upwards, or exercises/ in one of these.

    Raises
    ------
    DeskNotFound
    """
    here = Path.cwd() if explicit is None else explicit
    near = [here] if explicit else [here, *here.parents]
    for folder in (found for each in near for found in (each, each / "exercises")):
        if (folder / CHECKS).is_file() and (folder / DATA).is_file():
            return folder
    raise DeskNotFound(
        ui("desk.no_folder", messages.language(), folder=str(here), checks=CHECKS, data=DATA)
    )


def open_desk(folder: Path) -> Desk:
    """Read the student's folder.

    Raises
    ------
    DeskNotFound
        Where the checks or their numbers are damaged.
    """
    try:
        data = numbers(folder / DATA)
        checks = _Listed(folder, Source(folder / CHECKS), data)
        for each in checks:
            data["exercises"][each]["about"]
        checks[next(iter(checks))]
    except DeskNotFound:
        raise
    except Exception as error:  # a learner may have edited these files in any way
        raise _damaged(folder, error) from error
    return Desk(folder, checks, data)


def _damaged(folder: Path, error: Exception) -> DeskNotFound:
    slots = {"folder": str(folder), "checks": CHECKS, "data": DATA, "kind": type(error).__name__}
    return DeskNotFound(ui("desk.damaged", messages.language(), **slots))


class _Listed(Mapping[str, tuple[Check, ...]]):
    """Each exercise's visible checks, run as text and looked over when they are asked for."""

    def __init__(self, folder: Path, source: Source, data: Mapping[str, Any]) -> None:
        self._folder, self._source, self._data = folder, source, data
        self._order = tuple(str(each) for each in data["order"])
        self._found: dict[str, tuple[Check, ...]] = {}

    def __getitem__(self, exercise: str) -> tuple[Check, ...]:
        if exercise not in self._order:
            raise KeyError(exercise)
        if exercise not in self._found:
            try:
                tests = vars(self._source.run(exercise)).values()
                listed = {e.exercise: e.checks for e in tests if isinstance(e, VisibleTest)}
                for each in listed[exercise]:
                    self._data["exercises"][exercise]["checks"][each.name]
            except Exception as error:  # as above
                raise _damaged(self._folder, error) from error
            self._found[exercise] = listed[exercise]
        return self._found[exercise]

    def __iter__(self) -> Iterator[str]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)


# Judging


class Playback:
    """Gives each check the numbers that were recorded for it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self._records: Mapping[str, Sequence[Record]] = {}

    def rng_for(self, check: Check) -> Any:
        """Give what stands in for the check's generator."""
        self._records = self._data["exercises"][check.exercise]["checks"][check.name]
        return PlaybackRng(self._records["rng"])

    def reference(self) -> Student:
        """Give what stands in for the reference, for whichever check asks."""
        return PlaybackReference(lambda: self._records["reference"])


@dataclass(frozen=True)
class PlayedGraders(Graders):
    """Graders whose reference is a recording."""

    playback: Playback

    @property
    def at_once(self) -> bool:
        """Never: a recording goes on from one check to the next."""
        return False

    def solutions(self) -> Student:
        """Give what answers as the reference did."""
        return self.playback.reference()


def check(
    desk: Desk,
    exercises: Iterable[str] = (),
    sandbox: Sandbox | None = None,
    files: Sequence[tuple[str, bytes]] | None = None,
) -> list[Verdict]:
    """Run the visible checks of some exercises (all, unless told) on the student's files.

    Parameters
    ----------
    desk : Desk
    exercises : iterable of str
    sandbox : Sandbox, optional
        A warm one; else one is opened for this call.
    files : sequence of (name, bytes), optional
        What to check instead of the files in the folder.

    Raises
    ------
    DeskNotFound
        Where an exercise is not in the folder.
    """
    wanted = tuple(exercises) or tuple(desk.checks)
    desk.known(wanted)
    playback = Playback(desk.data)
    graders = PlayedGraders({each: desk.checks[each] for each in wanted}, {}, {}, playback)
    asked = {name: names for name, names in desk.names if name in wanted}
    given = files if files is not None else desk.files()
    given = needed(given, asked, desk.checks, desk.data.get("untouched", {}))
    in_files = {name for name, _ in given}  # else she writes in a notebook
    own = sandbox or Sandbox()
    try:
        with Judge(
            own,
            graders,
            desk.names,
            given,
            playback.rng_for,
            forbidden={each: desk.forbidden(each) for each in wanted if desk.forbidden(each)},
        ) as judge:
            judged = judge.judge()
    finally:
        if sandbox is None:
            own.close()
    shortcuts = judge.student.shortcuts
    aside = shared_out(
        said(judge.student.lines, judge.student.absent), {j.exercise: j.passed for j in judged}
    )
    return [
        Verdict(
            each,
            desk.diagnose(each),
            desk.place(each.exercise) if f"{each.exercise}.py" in in_files else None,
            Noticed.of(each.exercise, desk.forbidden(each.exercise), shortcuts),
            aside.get(each.exercise, ()),
        )
        for each in judged
    ]


# pytest's door


class VisibleTest:
    """What test_exercises.py calls ``test_softmax``: a test for pytest, a list for the desk."""

    def __init__(self, exercise: str, functions: Sequence[Function]) -> None:
        self.exercise = exercise
        self.checks = tuple(
            check_of(exercise, each.__name__.removeprefix(f"{exercise}__"), each)
            for each in functions
        )
        self.folder = Path(functions[0].__code__.co_filename).resolve().parent


def visible_test(exercise: str, functions: Sequence[Function]) -> Any:
    """Make one exercise's visible checks known to the desk, and to pytest where it is running."""
    test = VisibleTest(exercise, functions)
    pytest = sys.modules.get("pytest")
    if pytest is None or functions[0].__module__ == MODULE:
        return test

    def run(check: Check) -> None:
        _tell(pytest, _verdict(test.folder, exercise), check)

    run.__doc__ = f"The visible checks of {exercise}."
    names = [each.name for each in test.checks]
    return pytest.mark.parametrize("check", test.checks, ids=names)(run)


def _tell(pytest: Any, found: Verdict, check: Check) -> None:
    """Tell pytest how one check went, in one line."""
    outcomes = found.judged.outcomes
    [outcome] = [each for each in outcomes if each.check.name == check.name]
    words = found.sentence(outcome, messages.language())
    # An exercise that is not started fails once: nobody should take it for done.
    first = found.state == "not_started" and outcome is outcomes[0]
    if outcome.status == "skipped" and not first:
        pytest.skip(words)
    elif not outcome.passed:
        pytest.fail(words, pytrace=False)


@functools.cache
def _session(folder: Path) -> tuple[Desk, Sandbox]:
    """Open a folder once in a pytest session."""
    sandbox = Sandbox()
    atexit.register(sandbox.close)
    return open_desk(folder), sandbox


@functools.cache
def _verdict(folder: Path, exercise: str) -> Verdict:
    """Run one exercise's checks once in a pytest session."""
    desk, sandbox = _session(folder)
    [found] = check(desk, [exercise], sandbox)
    return found
