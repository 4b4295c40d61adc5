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

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder import boot, cage, launch, wire
from autograder.answers import FileReport, LoadReport, Prepared
from autograder.boot import Limits
from autograder.launch import IsolationTooWeak, Process, SandboxFault
from autograder.session import MAX_ANSWER, OPEN_SECONDS, ExerciseNames, Forbidden, Lost, Worker
from autograder.student import Trouble

__all__ = [
    "ExerciseNames",
    "IsolationTooWeak",
    "Limits",
    "LoadReport",
    "Lost",
    "Prepared",
    "Sandbox",
    "SandboxFault",
    "Worker",
]

Skip = Mapping[str, Trouble] | Sequence[str]

MAX_DEADLY = 8  # files that end the process reading them, before those after them are left out
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
        ``uid``, ``cage``.
    zygote : Zygote, optional
        One that was started before, with the same limits and layers; it is this sandbox's now.

    Attributes
    ----------
    level : str
        What a worker that tried it could not do: ``L0`` (only a process of its own), ``L1``
        (memory hidden, no new privileges), ``L2`` (no files, no system calls beyond computing),
        ``L3`` (and another user). It is tried when it is first asked for.
    layers : list of str
        The layers' short names.
    doors : dict of str to bool
        What the worker tried, and whether it could.
    kill_is_fault : bool
        Whether a worker that is killed by something else than its limits is a `SandboxFault`:
        whoever grades sets it for a first try, so that an operator's or the system's kill costs
        no student a point. Each thread has its own.

    Raises
    ------
    IsolationTooWeak
        Where the level reached is below `require`.
    SandboxFault
        Where no worker can be started at all; without `require`, when one is first needed.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        require: str | None = None,
        fork: bool | None = None,
        without: Sequence[str] = (),
        zygote: launch.Zygote | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self._fork = launch.forks() if fork is None else fork
        self._first_try = threading.local()
        self._closed = False
        self._lock = threading.Lock()
        self._zygote = zygote
        self._spare: Process | None = None
        self._barrier = boot.barrier(without)
        caged = not self._fork and "cage" not in without
        self._cage = cage.of_this_platform() if caged else cage.Cage()
        self._hidden = True
        launch.hide_memory(True)
        if require is not None:
            self._require(require)

    def _require(self, level: str) -> None:
        try:
            reached = self.level
        except SandboxFault:
            self.close()
            raise
        if LEVELS.index(reached) < LEVELS.index(level):
            self.close()
            raise IsolationTooWeak(f"isolation {reached} is below {level}")

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every worker and the zygote."""
        if (spare := self._taken()) is not None:
            with contextlib.suppress(SandboxFault):
                spare.end()
        with self._lock:
            self._closed = True
            if self._zygote is not None:
                self._zygote.close()
                self._zygote = None
            if self._hidden:
                self._hidden = False
                launch.hide_memory(False)

    @property
    def kill_is_fault(self) -> bool:
        return getattr(self._first_try, "on", False)

    @kill_is_fault.setter
    def kill_is_fault(self, on: bool) -> None:
        self._first_try.on = on

    @property
    def zygote_pid(self) -> int | None:
        """The process that workers are forked from, if there is one now."""
        return self._zygote.pid if self._zygote is not None else None

    def _start(self) -> Process:
        if not self._fork:
            return launch.Fresh(self.limits, self._barrier, cage=self._cage)
        for again in (True, False):
            with self._lock:
                if self._closed:
                    raise SandboxFault("the sandbox is closed")
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

    @property
    def level(self) -> str:
        return level_of(self.doors)

    @property
    def layers(self) -> list[str]:
        layers = [str(each) for each in self._tried["layers"]]
        return [*layers, self._cage.name] if held(self._cage, self.doors) else layers

    @property
    def doors(self) -> dict[str, bool]:
        return dict(self._tried["doors"])

    @property
    def cage(self) -> cage.Cage:
        """What is put around each whole process, once a worker has started in it."""
        self._settle()
        return self._cage

    def _settle(self) -> None:
        """Try the cage, if there is one, before anything of a student's is in it."""
        if self._cage.name:
            _ = self._tried

    @cached_property
    def _tried(self) -> Mapping[str, Any]:
        try:
            return self._try()
        except SandboxFault:
            if not self._cage.name:
                raise
            self._cage = cage.Cage()  # no worker starts in it here
            return self._try()

    def _try(self) -> Mapping[str, Any]:
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
        return dict(found)

    def ahead(self) -> None:
        """Start the process that the next `open` takes, now that nobody waits for it.

        It is as clean as any: nothing has been sent to it.
        """
        if self._spare is None:
            with contextlib.suppress(SandboxFault):  # whoever needs one is told
                self._spare = self._start()

    def _taken(self) -> Process | None:
        """Give the process that was started ahead, where there is one that still runs."""
        with self._lock:
            spare, self._spare = self._spare, None
        if spare is None or spare.alive:
            return spare
        with contextlib.suppress(SandboxFault):
            spare.end()
        return None

    def open(
        self,
        files: Sequence[tuple[str, bytes]],
        *,
        exercises: Sequence[ExerciseNames],
        given: Mapping[str, str] | None = None,
        skip: Skip = (),
        forbidden: Forbidden | None = None,
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
        forbidden : dict, optional
            Exercise to the modules and functions whose use is told in `Worker.shortcuts`.

        Raises
        ------
        SandboxFault
        """
        self._settle()
        deadly: dict[str, FileReport] = {}
        until = time.monotonic() + 2 * OPEN_SECONDS
        skipped = skip if isinstance(skip, Mapping) else dict.fromkeys(skip, Trouble("died"))
        while True:
            sent = [(name, data) for name, data in files if name not in deadly]
            worker = Worker(
                self._taken() or self._start(),
                self.limits,
                tuple(name for name, _ in sent),
                frozenset(name for _, names in exercises for name in names),
                skipped,
                kill_is_fault=self.kill_is_fault,
            )
            lost = worker.load(sent, exercises, given or {}, forbidden)
            if lost is None:
                worker.report = _with(worker.report, files, deadly)
                return worker
            worker.close()
            # Reading it ended the process: read the others without it.
            if lost.place is None or lost.place in deadly or not sent:
                raise SandboxFault("a worker ended before it read a file")
            names = [name for name, _ in sent]
            at = names.index(lost.place)
            # Of many such files, or slow ones, those further back are not tried one by one.
            late = time.monotonic() >= until
            first = (at + 1) // 2 if late else at
            for name in names[first:] if late or len(deadly) >= MAX_DEADLY else names[at : at + 1]:
                deadly[name] = FileReport(name, ("deadly", lost.trouble.kind, None))


def held(around: cage.Cage, doors: Mapping[str, bool]) -> bool:
    """Whether a cage is there and all that it is to shut was shut."""
    return bool(around.name) and not any(doors.get(door, True) for door in around.doors)


def level_of(doors: Mapping[str, bool]) -> str:
    """Give the level that the doors which opened leave.

    Beyond Linux it is L1 at most: nobody has seen there that nothing else opens.
    """
    if "dumpable" not in doors:
        tried = set(cage.SandboxExec().doors) <= doors.keys()
        opened = any(opens for door, opens in doors.items() if door != "same user")
        return "L1" if tried and not opened else "L0"
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
