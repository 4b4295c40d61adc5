"""Grades many submissions at once: processes side by side, and in each several in flight.

A submission that hangs waits for its limit without keeping a core: the others of its process go
on. Results come as they are finished. A grading process that ends by itself is started again and
its submissions are graded again; one that goes down twice over the same submission stops the run.
What a result is worth, and where it is written, is not known here.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as any_ready
from multiprocessing.process import BaseProcess
from typing import Any

from autograder.grade import KitFault
from autograder.grader import Grader, Recipe
from autograder.launch import Cramped
from autograder.packed import Packed, pack
from autograder.results import SubmissionResult
from autograder.sandbox import IsolationTooWeak, SandboxFault
from autograder.submission import Submission

Work = Iterable[tuple[int, Submission]]
Done = Iterator[tuple[int, Packed]]
Finish = Callable[[SubmissionResult], None]  # what to do beside grading, such as writing a page
LANES = 3  # in flight in each process: one that computes, one that waits, one that hangs
AHEAD = 2  # sent to a process beyond what it has in flight
TRIES = 2


def grade_one(grader: Grader, submission: Submission, finish: Finish | None) -> Packed:
    """Grade, pack and finish one submission; whatever fails is named as the kit's fault."""
    try:
        result = grader.grade(submission)
        if finish is not None:
            finish(result)
        return pack(result)
    except (KitFault, SandboxFault, OSError):
        raise
    except Exception as error:
        raise KitFault(
            f"grading {submission.id} failed: {type(error).__name__}: {error}"
        ) from error


class Alone:
    """Grades in this process, with a few threads."""

    def __init__(self, recipe: Recipe, lanes: int, finish: Finish | None) -> None:
        self._grader, self._lanes, self._finish = recipe.grader(), lanes, finish
        sandbox = self._grader.sandbox
        self.isolation = (sandbox.level, *sandbox.layers)

    def run(self, work: Work) -> Done:
        """Give each submission's result with its number, as they are finished."""
        if self._lanes == 1:
            for place, submission in work:
                yield place, grade_one(self._grader, submission, self._finish)
            return
        pool = ThreadPoolExecutor(self._lanes)
        pending: dict[Future[Packed], int] = {}
        try:
            for place, submission in work:
                while len(pending) > self._lanes:
                    yield from _finished(pending)
                pending[pool.submit(grade_one, self._grader, submission, self._finish)] = place
            while pending:
                yield from _finished(pending)
        except BaseException:  # an interrupt too: end the workers, so that no thread waits on one
            pool.shutdown(wait=False, cancel_futures=True)
            self._grader.close()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def close(self) -> None:
        """End the sandbox."""
        self._grader.close()


def _finished(pending: dict[Future[Packed], int]) -> Done:
    ready, _ = wait(pending, return_when=FIRST_COMPLETED)
    for each in sorted(ready, key=pending.__getitem__):
        yield pending.pop(each), each.result()


@dataclass
class _Hand:
    """One grading process, seen from here."""

    process: BaseProcess
    connection: Connection
    pending: dict[int, Submission] = field(default_factory=dict)


class Crew:
    """Grades in `jobs` processes of several threads each.

    Raises
    ------
    KitFault, SandboxFault, IsolationTooWeak
        As a grading process does at its start.
    """

    def __init__(self, recipe: Recipe, jobs: int, lanes: int, finish: Finish | None) -> None:
        self._settings = (recipe, lanes, finish)
        self._context = multiprocessing.get_context("spawn")
        self._tries: dict[int, int] = {}
        self._hands: list[_Hand] = []
        try:
            for _ in range(jobs):
                self._hands.append(self._start())
            # Only now: whoever sends waits until a process has loaded all that it needs to read.
            for hand in self._hands:
                self._tell(hand)
            self.isolation: tuple[str, ...] = min(map(self._ready, self._hands))
        except BaseException:  # an interrupt too: leave no process behind
            self.close()
            raise

    def _start(self) -> _Hand:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs,), daemon=True)
        with _from_elsewhere(), _unheard():
            process.start()
        theirs.close()
        return _Hand(process, ours)

    def _tell(self, hand: _Hand) -> None:
        """Tell a process what it is to grade with.

        Not as an argument: whoever starts a process waits for ever to hand a large one to it
        where it ends before it reads.
        """
        with contextlib.suppress(OSError):  # it has ended: `_ready` sees that
            hand.connection.send(self._settings)

    def _ready(self, hand: _Hand) -> tuple[str, ...]:
        try:
            told = hand.connection.recv()
        except (EOFError, OSError):
            raise KitFault("a grading process ended before it began") from None
        if isinstance(told, Exception):
            raise told
        return tuple(told)

    def run(self, work: Work) -> Done:
        """Give each submission's result with its number, as they are finished."""
        source, more = iter(work), True
        room = self._settings[1] + AHEAD
        while True:
            while more:
                hand = min(self._hands, key=lambda each: len(each.pending))
                if len(hand.pending) >= room:
                    break
                found = next(source, None)
                if found is None:
                    more = False
                    break
                self._send(hand, *found)
            busy = {hand.connection: hand for hand in self._hands if hand.pending}
            if not busy:
                return
            for ready in any_ready(list(busy)):
                yield from self._take(busy[ready])  # type: ignore[index]

    def _send(self, hand: _Hand, place: int, submission: Submission) -> None:
        hand.pending[place] = submission
        with contextlib.suppress(OSError):  # it has ended: `_take` sees that
            hand.connection.send((place, submission))

    def _take(self, hand: _Hand) -> Done:
        try:
            place, told = hand.connection.recv()
        except (EOFError, OSError):
            self._again(hand)
            return
        if isinstance(told, Exception):
            raise told
        hand.pending.pop(place)
        yield place, told

    def _again(self, ended: _Hand) -> None:
        """Start another process in the place of one that ended, with the same submissions."""
        ended.process.join()
        for place, submission in ended.pending.items():
            self._tries[place] = self._tries.get(place, 0) + 1
            if self._tries[place] >= TRIES:
                raise KitFault(
                    f"a grading process ended by itself, {TRIES} times with {submission.id} in it"
                )
        new = self._hands[self._hands.index(ended)] = self._start()
        self._tell(new)
        self._ready(new)
        for place, submission in ended.pending.items():
            self._send(new, place, submission)

    def close(self) -> None:
        """End every process, and with it its workers."""
        for hand in self._hands:
            hand.connection.close()
        for hand in self._hands:
            hand.process.join(timeout=5.0)
            if hand.process.is_alive():
                hand.process.kill()
                hand.process.join()


@contextlib.contextmanager
def _from_elsewhere() -> Iterator[None]:
    """Start a process that takes no module of Python's own from the working directory.

    A class may be that: a hand-in that is called pickle.py would run as whoever grades.
    """
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


@contextlib.contextmanager
def _unheard() -> Iterator[None]:
    """Start a process that does not hear Ctrl-C, for the second until `_serve` says so itself.

    Here it is heard a moment later.
    """
    if os.name != "posix":
        yield
        return
    resource_tracker.ensure_running()  # starting it would let the signal in again
    heard: list[int] = []
    usual: Any = None
    with contextlib.suppress(ValueError):  # in another thread than the first nothing is raised
        # A thread of a library's may take the signal, which is raised in this one all the same.
        usual = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        if usual is not None:
            signal.signal(signal.SIGINT, usual)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if heard:
            signal.raise_signal(signal.SIGINT)


def _serve(connection: Connection) -> None:
    """Be a grading process, until the connection ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started us hears it, and hangs up
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    try:
        settings: tuple[Recipe, int, Finish | None] = connection.recv()
    except (EOFError, OSError):
        return
    recipe, lanes, finish = settings
    try:
        grader = recipe.grader()
    except Exception as error:
        with contextlib.suppress(OSError):
            connection.send(_told(error))
        return
    waiting: queue.SimpleQueue[tuple[int, Submission]] = queue.SimpleQueue()
    writing = threading.Lock()

    def work() -> None:
        while True:
            place, submission = waiting.get()
            told: Any
            try:
                told = grade_one(grader, submission, finish)
            except Exception as error:
                told = _told(error)
            with writing, contextlib.suppress(OSError):
                connection.send((place, told))

    for _ in range(lanes):
        threading.Thread(target=work, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        connection.send((grader.sandbox.level, *grader.sandbox.layers))
        while True:
            waiting.put(connection.recv())
    grader.close()
    os._exit(0)  # threads may still wait for a worker that has just been ended


def _told(error: Exception) -> Exception:
    """Give an exception as it can travel."""
    if isinstance(error, OSError) and error.errno:  # a full disk is nobody's fault
        return OSError(error.errno, error.strerror, error.filename)
    kinds = (KitFault, Cramped, SandboxFault, IsolationTooWeak)
    kind = next((kind for kind in kinds if isinstance(error, kind)), KitFault)
    return kind(str(error))
