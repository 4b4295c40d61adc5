"""Workers for submissions, seen from the grading process: open, prepare, ask, end.

    with Sandbox() as sandbox:
        worker = sandbox.open([("softmax.py", data)], exercises=[("softmax", ("softmax",))])
        worker.prepare("softmax")
        worker.ask("call", "softmax", None, (x,), {}, seconds=1.0).value

Whatever the student's code does is an answer or a `Trouble`, never an exception here. What the
sandbox itself cannot do (start a process, for one) is a `SandboxFault`, the kit's own fault.
What comes from a worker is copied, bounded and checked before it is used; a verdict cannot
even be said. This module knows nothing of graders and scores.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autograder import launch, wire
from autograder.answers import (
    FileReport,
    LoadReport,
    Prepared,
    changed_of,
    expect,
    load_report,
    place_of,
    trouble_of,
)
from autograder.channel import Ended, Late, Printed
from autograder.launch import End, IsolationTooWeak, Limits, Process, SandboxFault
from autograder.student import Op, Reply, Trouble

__all__ = [
    "ExerciseNames",
    "IsolationTooWeak",
    "Limits",
    "LoadReport",
    "Prepared",
    "Sandbox",
    "SandboxFault",
    "Worker",
]

ExerciseNames = tuple[str, tuple[str, ...]]  # an exercise, and its graded names
Skip = Mapping[str, Trouble] | Sequence[str]

OPEN_SECONDS = 10.0
MAX_ANSWER = 2**20  # bytes of an answer's arrays, beside four times what was asked with
MAX_PROGRESS = 10_000  # announcements of units before one answer
LEVELS = ("L0", "L1", "L2", "L3", "L4")


class Sandbox:
    """Opens workers for submissions, each in a process of its own.

    Parameters
    ----------
    limits : Limits
    require : str, optional
        The level below which to refuse, ``L0`` to ``L4``.
    fork : bool, optional
        Whether workers are forked from a zygote; default: where fork is safe.
    without : sequence of str
        Layers to leave out, for measuring and for tests: ``landlock``, ``seccomp``, ``process``,
        ``uid``.

    Attributes
    ----------
    level : str
        What a worker that tried it could not do: ``L0`` (only a process of its own), ``L1``
        (memory hidden, no new privileges), ``L2`` (no files, no system calls beyond computing),
        ``L3`` (and another user).
    layers : list of str
        The layers' short names.

    Raises
    ------
    IsolationTooWeak
        Where the level reached is below `require`.
    SandboxFault
        Where no worker can be started at all.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        require: str | None = None,
        fork: bool | None = None,
        without: Sequence[str] = (),
    ) -> None:
        chosen = os.environ.get("ATTN_FORK")
        if fork is None:
            fork = chosen != "0" if chosen else sys.platform not in ("win32", "darwin")
        self.limits = limits or Limits()
        self._fork = fork
        self._lock = threading.Lock()
        self._zygote: launch.Zygote | None = None
        self._barrier = launch.barrier(without)
        launch.hide_memory()
        self.level, self.layers = self._probe()
        if require is not None and LEVELS.index(self.level) < LEVELS.index(require):
            self.close()
            raise IsolationTooWeak(f"isolation {self.level} is below {require}")

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every worker and the zygote."""
        with self._lock:
            if self._zygote is not None:
                self._zygote.close()
                self._zygote = None

    @property
    def zygote_pid(self) -> int | None:
        """The process that workers are forked from, if there is one now."""
        return self._zygote.pid if self._zygote is not None else None

    def _start(self) -> Process:
        if not self._fork:
            return launch.Fresh(self.limits, self._barrier)
        for again in (True, False):
            with self._lock:
                if self._zygote is not None and not self._zygote.alive:
                    self._zygote.close()
                    self._zygote = None
                if self._zygote is None:
                    self._zygote = launch.Zygote(self.limits, self._barrier)
                zygote = self._zygote
            try:
                return zygote.start()
            except SandboxFault:
                if zygote.alive or not again:
                    raise
        raise AssertionError

    def _probe(self) -> tuple[str, list[str]]:
        """Send one worker through the doors that must stay shut."""
        secret = Path(__file__)
        about = secret.stat()
        told = {
            "secret": str(secret),
            "mode": about.st_mode & 0o7777,
            "times": [about.st_atime_ns, about.st_mtime_ns],
            "scratch": tempfile.gettempdir(),
            "uid": os.getuid() if hasattr(os, "getuid") else -1,
        }
        worker = Worker(self._start(), self.limits, (), frozenset(), {})
        try:
            _, found, _ = worker.request(wire.CANARY, told, OPEN_SECONDS, MAX_ANSWER)
        except Lost as error:
            raise SandboxFault("a worker that does nothing did not answer") from error
        finally:
            worker.close()
        self.doors: dict[str, bool] = found["doors"]
        return _level(self.doors), [str(each) for each in found["layers"]]

    def open(
        self,
        files: Sequence[tuple[str, bytes]],
        *,
        exercises: Sequence[ExerciseNames],
        given: Mapping[str, str] | None = None,
        skip: Skip = (),
    ) -> Worker:
        """Start a worker and let it read a submission's files; nothing of them runs yet.

        Parameters
        ----------
        files : sequence of (name, bytes)
        exercises : sequence of (exercise, graded names)
            In course order.
        given : dict, optional
            Exercise to source text of implementations that win over the student's own.
        skip : dict of place to Trouble, or sequence of places
            Files and cells to leave out, because they hung or ended the process before.

        Raises
        ------
        SandboxFault
        """
        deadly: dict[str, FileReport] = {}
        skipped = skip if isinstance(skip, Mapping) else dict.fromkeys(skip, Trouble("died"))
        while True:
            sent = [(name, data) for name, data in files if name not in deadly]
            worker = Worker(
                self._start(),
                self.limits,
                tuple(name for name, _ in sent),
                frozenset(name for _, names in exercises for name in names),
                skipped,
            )
            lost = worker.load(sent, exercises, given or {})
            if lost is None:
                worker.report = _with(worker.report, files, deadly)
                return worker
            worker.close()
            # Reading it ended the process: read the others without it.
            if lost.place is None or lost.place in deadly or not sent:
                raise SandboxFault("a worker ended before it read a file")
            deadly[lost.place] = FileReport(lost.place, ("deadly", lost.trouble.kind, None))


def _level(doors: Mapping[str, bool]) -> str:
    """Give the level that the doors which opened leave."""
    if doors.get("dumpable", True) or doors.get("privileges", True):
        return "L0"
    if any(opened for door, opened in doors.items() if door != "same user"):
        return "L1"
    return "L2" if doors.get("same user", True) else "L3"


def _with(
    report: LoadReport, files: Sequence[tuple[str, bytes]], deadly: Mapping[str, FileReport]
) -> LoadReport:
    found = {file.name: file for file in report.files} | dict(deadly)
    reports = tuple(found[name] for name, _ in files)
    return LoadReport(reports, report.definitions, report.chosen, report.notices)


class Lost(Exception):
    """The worker gave no answer and has been ended."""

    def __init__(self, trouble: Trouble, place: str | None) -> None:
        super().__init__(trouble.kind)
        self.trouble, self.place = trouble, place


class Worker:
    """One submission in its process. After a timeout or a death it stays dead.

    Attributes
    ----------
    report : LoadReport
        What its files define.
    alive : bool
        Whether it can still be asked.
    end : End or None
        How the process ended and what it used, once it is closed.
    """

    def __init__(
        self,
        process: Process,
        limits: Limits,
        files: tuple[str, ...],
        names: frozenset[str],
        skip: Mapping[str, Trouble],
    ) -> None:
        self.report = LoadReport()
        self.alive = True
        self.end: End | None = None
        self._process, self._limits = process, limits
        self._files, self._names, self._skip = files, names, skip
        self._seq = 0
        self._until = time.monotonic() + limits.total
        self._loaded = Printed()
        self._asked = False

    def close(self) -> None:
        """End the process and all that it started."""
        self.alive = False
        self.end = self._process.end()

    def request(
        self, kind: int, value: Any, seconds: float, max_raw: int
    ) -> tuple[int, Any, str | None]:
        """Put one question; give the answer's kind and value, and the last unit announced.

        Raises
        ------
        Lost
            If no answer came: the worker has been ended.
        """
        place: str | None = None
        channel = self._process.channel
        self._seq += 1
        deadline = min(time.monotonic() + seconds, self._until)
        try:
            channel.send(wire.encode(kind, self._seq, value, max_tree=2**24), deadline)
            for _ in range(MAX_PROGRESS):
                head = wire.head(channel.receive(wire.HEADER.size, deadline), max_raw=max_raw)
                expect(head.seq == self._seq)
                tree = channel.receive(head.tree, deadline)
                told = wire.decode(tree, channel.receive(head.raw, deadline))
                if head.kind != wire.RUNNING:
                    expect(head.kind in (wire.VALUE, wire.ERROR))
                    return head.kind, told, place
                place = place_of(told, self._files)
            expect(False)
        except Late:
            self.alive = False
            self._process.end()
            raise Lost(Trouble("timeout", "", None, place), place) from None
        except Ended:
            self.alive = False
            raise Lost(self._ended(place), place) from None
        except wire.ProtocolError:
            self._process.end()
            self.alive = False
            raise Lost(Trouble("died", "", None, place), place) from None
        raise AssertionError

    def _ended(self, place: str | None) -> Trouble:
        end = self._process.end(gently=True)
        if end.how == "cpu":
            return Trouble("timeout", "", None, place)
        if end.how == "signal" and end.peak > 0.8 * self._limits.memory:
            return Trouble("died", "memory", None, place)
        return Trouble("died", end.how if end.how in ("exit", "signal") else "", None, place)

    def load(
        self,
        files: Sequence[tuple[str, bytes]],
        exercises: Sequence[ExerciseNames],
        given: Mapping[str, str],
    ) -> Lost | None:
        """Let the worker read the files; give what stopped it, if something did."""
        value = {
            "files": [(name, np.frombuffer(data, np.uint8)) for name, data in files],
            "exercises": [(exercise, list(names)) for exercise, names in exercises],
            "given": [(n, np.frombuffer(text.encode(), np.uint8)) for n, text in given.items()],
            "skip": list(self._skip),
        }
        try:
            _, told, _ = self.request(wire.OPEN, value, OPEN_SECONDS, MAX_ANSWER)
            self.report = load_report(told, self._files, self._names)
        except Lost as lost:
            return lost
        return None

    def prepare(self, exercise: str) -> Prepared:
        """Run what the exercise's names need; what ran before does not run again.

        Prepare all exercises before the first question: prints of what runs after it are dropped,
        because they could tell the inputs of earlier questions.
        """
        if not self.alive:
            return Prepared(Trouble("died"))
        try:
            _, told, _ = self.request(
                wire.PREPARE, {"exercise": exercise}, self._limits.load, MAX_ANSWER
            )
            expect(type(told) is dict and isinstance(told.get("noted"), list | tuple))
            trouble, noted = told.get("trouble"), told["noted"]
            return Prepared(
                None if trouble is None else trouble_of(trouble, self._files, self._skip),
                tuple(trouble_of(each, self._files, self._skip) for each in noted),
                self._prints(),
            )
        except Lost as lost:
            return Prepared(lost.trouble, (), self._prints(), lost.place)
        except wire.ProtocolError:
            self.close()
            return Prepared(Trouble("died"), (), self._prints())

    def _prints(self) -> str:
        """Give what was printed before the first question: later prints may hold hidden inputs."""
        self._drain()
        printed = self._process.channel.printed.take()
        if not self._asked:
            self._loaded.add(printed.encode())
        return self._loaded.text()

    def _drain(self) -> None:
        if self.alive:
            self._process.channel.drain()

    def ask(
        self,
        op: Op,
        name: str,
        target: int | None,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        *,
        seconds: float,
    ) -> Reply:
        """Put one question to the student's code, as `LocalStudent.ask` does to a namespace."""
        if not self.alive:
            return Reply(Trouble("died"))
        room = 4 * _bytes(args) + 4 * _bytes(tuple(kwargs.values())) + MAX_ANSWER
        question = {
            "op": op, "name": name, "target": target, "args": args, "kwargs": dict(kwargs),
            "max_raw": room,
        }  # fmt: skip
        self._drain()
        self._process.channel.printed.take()
        self._asked = True
        started = time.monotonic()
        try:
            kind, told, _ = self.request(wire.ASK, question, seconds, room)
            spent = time.monotonic() - started
            expect(type(told) is dict and type(told.get("touched")) is bool)
            changed = changed_of(told.get("changed"), args, kwargs)
            if kind == wire.ERROR:
                value: Any = trouble_of(told.get("trouble"), self._files, self._skip)
            else:
                expect("value" in told)
                value = told["value"]
            self._drain()
            printed = self._process.channel.printed.take()
            return Reply(value, changed, printed, told["touched"], spent)
        except Lost as lost:
            printed = self._process.channel.printed.take()
            return Reply(lost.trouble, (), printed, False, time.monotonic() - started)
        except wire.ProtocolError:
            self.close()
            return Reply(Trouble("died"), (), "", False, time.monotonic() - started)


def _bytes(value: Any) -> int:
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, list | tuple):
        return sum(_bytes(each) for each in value)
    return 0
