"""Do one thing for many students in several processes that are forked from this one.

Each process does one student after another; what it says of one comes back as soon as it is done.
A process that ends by itself is replaced, and its student may be tried again. Stopped by the user,
or left behind by a process that was killed, they undo what they were at and end. What is done for
a student is not known here.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")
Calls = tuple[Callable[[str], Any], Callable[[], None]]
MOST = 8  # processes, unless more are asked for: each holds a few hundred megabytes


class Stopped(KeyboardInterrupt):
    """Whoever started this process has ended, or wants it to end."""


def can_fork() -> bool:
    """Say whether forking is safe here: on Linux, from a process of one thread."""
    return sys.platform == "linux" and threading.active_count() == 1


def cores() -> int:
    """Give how many processes make sense."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(allowed or 1, MOST)


@dataclass
class _Hand:
    """One process, seen from here, and the student that it is at."""

    process: ForkProcess
    connection: Connection
    student: str

    def told(self) -> tuple[Any] | None:
        """Give what it says; None where it has ended."""
        with contextlib.suppress(EOFError, OSError):
            if self.connection.poll():
                return (self.connection.recv(),)
        return None

    def next(self, student: str | None) -> None:
        """Give it the next student, or let it end."""
        self.student = student or ""
        with contextlib.suppress(OSError):  # it has ended: that is seen at the next look
            self.connection.send(student)


def side_by_side(
    students: Sequence[str],
    do: Callable[[str], T],
    gone: Callable[[str, int], T | None],
    end: Callable[[], None],
    jobs: int,
) -> Iterator[T]:
    """Give what `do` gives for each student, as they are done.

    Parameters
    ----------
    do : callable
        Called in another process.
    gone : callable
        Told of a student whose process ended by itself, and of how often that was so. Gives what
        stands for the student; None to have another process try, after everybody else.
    end : callable
        Called in each process when it is done.
    jobs : int
    """
    calls = (do, end)
    gc.collect()
    gc.freeze()  # what is here is shared as long as nobody touches it
    waiting = deque(students)
    hands: list[_Hand] = []
    ended: Counter[str] = Counter()
    try:
        for _ in range(min(jobs, len(waiting))):
            hands.append(_start(calls, waiting.popleft()))
        while hands:
            ready = {*wait([each.connection for each in hands]),
                     *wait([each.process.sentinel for each in hands], 0)}  # fmt: skip
            for hand in list(hands):
                if not {hand.connection, hand.process.sentinel} & ready:
                    continue
                if (told := hand.told()) is None:
                    hands.remove(hand)
                    hand.process.join()
                    ended[hand.student] += 1
                    instead = gone(hand.student, ended[hand.student])
                    if instead is None:
                        waiting.append(hand.student)
                    else:
                        yield instead
                    if waiting:
                        hands.append(_start(calls, waiting.popleft()))
                    continue
                yield told[0]
                if waiting:
                    hand.next(waiting.popleft())
                    continue
                hands.remove(hand)
                hand.next(None)
                hand.process.join()
    finally:
        gc.unfreeze()
        for hand in hands:
            hand.process.terminate()
        for hand in hands:
            hand.process.join()


def _start(calls: Calls, student: str) -> _Hand:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(
        target=_serve, args=(theirs, calls, os.getpid()), daemon=True
    )
    process.start()
    theirs.close()
    hand = _Hand(process, ours, student)
    hand.next(student)
    return hand


def _serve(connection: Connection, calls: Calls, parent: int) -> None:
    """Be one process: do students until there is none."""
    do, end = calls
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this one tells it to stop
    signal.signal(signal.SIGTERM, _stop)
    _end_with_parent(parent)
    try:
        while (student := connection.recv()) is not None:
            connection.send(do(student))
    except (Stopped, EOFError, OSError):
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        end()


def _stop(*_: object) -> NoReturn:
    raise Stopped


def _end_with_parent(parent: int) -> None:
    """Be told to stop when the process that started this one ends, however it ends."""
    import ctypes

    ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        raise Stopped
