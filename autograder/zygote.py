"""The clean process that workers are forked from: NumPy imported once, nothing of ours inside.

It is started by exec with an empty environment, is told what to do over one socket, and forks a
worker for every pair of descriptors that it is sent. It reaps what it forked, and whatever a
worker left behind. It holds no solution, no grader and no submission: those never enter it.

    grading process ── control socket ──▶ zygote ── fork ──▶ worker ◀── frames ── grading process

This runs inside the zygote, loaded as text by the sandbox: standard library and NumPy only.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import socket
import struct
import sys
import time
from collections.abc import Sequence
from typing import Any

from autograder import confine

REQUEST = struct.Struct("<cq")  # what, and of which process
FORKED = struct.Struct("<q")  # process id, or minus the error number
TWO = struct.Struct("ii")  # descriptors: a worker's channel, and where it prints
REAPED = struct.Struct("<qdq")  # wait status, CPU seconds, peak memory in bytes

FORK, REAP, KILL = b"f", b"r", b"k"
serving: list[Any] = []  # the module that answers in a worker
# Workers that a process forks before it rehearses, which costs as much as the next twenty save.
PRACTICE = 16
GRACE = 0.1  # seconds in which a worker whose channel ended may finish ending


def main(plan: dict[str, Any]) -> None:
    """Fork and reap on request, until the grading process hangs up."""
    control = socket.socket(fileno=os.dup(0))
    _read_nothing()
    confine.become_zygote()
    _own_streams()
    barrier = _ready(plan)
    forked = 0
    control.sendall(FORKED.pack(os.getpid()))
    alive: set[int] = set()
    while True:
        try:
            data, sent, _, _ = control.recvmsg(REQUEST.size, socket.CMSG_LEN(TWO.size))
        except InterruptedError:
            continue
        if len(data) != REQUEST.size:
            break
        what, pid = REQUEST.unpack(data)
        if what == FORK:
            forked += 1
            if forked == PRACTICE:
                _rehearse()
            [(_, _, fds)] = sent
            control.sendall(FORKED.pack(_fork(TWO.unpack(fds), barrier, alive)))
        elif what in (REAP, KILL):
            grace = GRACE if what == REAP else 0.0
            control.sendall(REAPED.pack(*_reap(pid, alive, grace)))
    for pid in tuple(alive):
        _reap(pid, alive, 0.0)
    os._exit(0)  # nothing is left to be written, and somebody waits


def _ready(plan: dict[str, Any]) -> confine.Barrier:
    """Do once what every worker would do for itself."""
    barrier = confine.Barrier(plan["barrier"], plan["limits"])
    if barrier.ruleset < 0:  # a worker may open no file then, so nothing can be imported late
        for name in plan["late"]:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    serving[:] = [sys.modules[f"autograder.{plan['serve']}"]]
    serving[0].warm_up()
    os.environ.clear()
    _settle()
    return barrier


def _settle() -> None:
    gc.freeze()  # what is here now is never garbage: no worker need look, and so copy it
    gc.enable()


def _rehearse() -> None:
    """Do beforehand what every worker does; without it each is a little slower."""
    rehearse = getattr(serving[0], "rehearse", None)
    if rehearse is not None:
        with contextlib.suppress(Exception):
            rehearse()
        _settle()


def _fork(fds: Sequence[int], barrier: confine.Barrier, alive: set[int]) -> int:
    try:
        pid = os.fork()
    except OSError as error:
        pid = -(error.errno or 1)
    if pid == 0:
        _become_worker(fds, barrier)
    for fd in fds:
        os.close(fd)
    if pid > 0:
        alive.add(pid)
    return pid


def _become_worker(fds: Sequence[int], barrier: confine.Barrier) -> None:
    status = 70
    try:
        os.setsid()
        channel, output = fds
        _read_nothing()  # its own: flags that are set on an open file are seen by all who share it
        os.dup2(output, 1)
        os.dup2(output, 2)
        if barrier.ruleset < 0:
            _keep([channel])
        else:
            _keep([channel, barrier.ruleset])
            barrier.ruleset = 4
        layers = confine.apply(barrier)
        serving[0].serve(3, 3, layers)
        status = 0
    finally:
        os._exit(status)


def _keep(kept: Sequence[int]) -> None:
    """Close all descriptors but the streams and these, which become 3 and the numbers after it."""
    first_free = 3 + len(kept)
    aside = []
    for fd in kept:
        while fd < first_free:
            fd = os.dup(fd)
        aside.append(fd)
    for place, fd in enumerate(aside, 3):
        os.dup2(fd, place)
    os.closerange(first_free, 4096)


def _read_nothing() -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def _own_streams() -> None:
    """Open standard output and error anew, for the pipe that they are in a worker.

    Those of the start were made for ``/dev/null`` and hold that they can be wound back: code that
    says ``sys.stdout.reconfigure(encoding="utf-8")`` or wraps them would get an OSError. What
    they are is looked at when they are opened: a pipe stands there meanwhile.
    """
    usual, pipe = [os.dup(1), os.dup(2)], os.pipe()
    os.dup2(pipe[1], 1)
    os.dup2(pipe[1], 2)
    for fd, name, buffering in ((1, "stdout", -1), (2, "stderr", 1)):
        old = getattr(sys, name)
        new = open(  # noqa: SIM115
            fd, "w", buffering, encoding=old.encoding, errors=old.errors, closefd=False
        )
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)
    os.dup2(usual[0], 1)
    os.dup2(usual[1], 2)
    for fd in (*usual, *pipe):
        os.close(fd)


def _reap(pid: int, alive: set[int], grace: float) -> tuple[int, float, int]:
    """End the worker's whole group and all that it left behind; give how it ended."""
    if pid not in alive:
        return 0, 0.0, 0
    until = time.monotonic() + grace
    # It is looked at first and reaped last, so that its number cannot be taken anew meanwhile.
    look = os.WEXITED | os.WNOHANG | os.WNOWAIT
    while os.waitid(os.P_PID, pid, look) is None and time.monotonic() < until:
        time.sleep(0.0005)
    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    alive.discard(pid)
    _end_orphans(alive)
    return status, usage.ru_utime + usage.ru_stime, peak_of(usage)


def peak_of(usage: Any) -> int:
    """Give the bytes of memory that the system counted at most; each counts in its own unit."""
    return int(usage.ru_maxrss) * (1 if sys.platform == "darwin" else 1024)


def _end_orphans(alive: set[int]) -> None:
    """End processes that came to us because the worker that started them has ended."""
    for _ in range(1000):
        orphans = confine.children() - alive
        if not orphans:
            return
        for pid in orphans:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError, PermissionError):
                continue


def fresh(plan: dict[str, Any]) -> None:
    """Be one worker in this process, for where fork is missing: frames on the standard streams."""
    incoming, outgoing = os.dup(0), os.dup(1)
    _read_nothing()
    os.dup2(2, 1)
    barrier = _ready(plan)
    if confine.threads() != 1:  # Landlock and the filter would hold for this thread alone
        barrier.give_up()
    layers = confine.apply(barrier)
    serving[0].serve(incoming, outgoing, layers)
    os._exit(0)


__all__ = ["FORK", "FORKED", "KILL", "REAP", "REAPED", "REQUEST", "fresh", "main", "peak_of"]
