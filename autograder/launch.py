"""Starts and ends the processes that student code runs in.

A `Zygote` is one clean process, started by exec before any secret is near it, from which workers
are forked at a few milliseconds each; where fork is missing, `Fresh` starts a whole process for
each. Both send their children program text, so the kit itself is never on a worker's path or
disk. What is asked of a worker, and what it answers, is not known here.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from autograder import room
from autograder.boot import WORKER, Limits, Loaded, command, environment, plan
from autograder.cage import Cage
from autograder.channel import Channel, PipeChannel, SocketChannel
from autograder.zygote import FORK, FORKED, GRACE, KILL, REAP, REAPED, REQUEST, peak_of

START_SECONDS = 30.0


class SandboxFault(Exception):
    """The sandbox cannot do its work: the kit's own fault, never the student's."""


class Cramped(SandboxFault):
    """This process may use less memory than a worker is promised: a score would depend on it."""

    def __init__(self, short: str) -> None:
        super().__init__(short)
        self.short = short


class IsolationTooWeak(Exception):
    """This machine cannot confine student code as well as was asked for."""


def need_room(limits: Limits) -> None:
    """See that a worker may have what its limits promise.

    Raises
    ------
    Cramped
    """
    if short := room.lacking(limits.address, limits.memory, "grading"):
        raise Cramped(short)


def forks() -> bool:
    """Say whether workers are forked: where that is safe, unless ``ATTN_FORK`` says otherwise."""
    chosen = os.environ.get("ATTN_FORK")
    return chosen != "0" if chosen else sys.platform not in ("win32", "darwin")


@dataclass(frozen=True)
class End:
    """How a process ended.

    Attributes
    ----------
    how : str
        ``exit``, ``signal``, ``killed`` (by the signal that nothing catches) or ``cpu``.
    cpu : float
        Seconds of processor time, as the system counted them.
    peak : int
        Bytes of memory at most.
    """

    how: str
    cpu: float = 0.0
    peak: int = 0


class Process(Protocol):
    """One worker process: its channel, and its end."""

    channel: Channel

    @property
    def alive(self) -> bool: ...
    def end(self, *, gently: bool = False) -> End: ...
    def stood_in_line(self) -> float: ...


def stood_in_line(pid: int) -> float:
    """Give the seconds that a process was ready to run and had no processor; 0 where unknown."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_bytes().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


class Zygote:
    """The clean process that workers are forked from, seen from here. Safe to share by threads."""

    def __init__(self, limits: Limits, barrier: Mapping[str, Any], loaded: Loaded = WORKER) -> None:
        self.limits = limits
        self._lock = threading.Lock()
        self._broken = False
        ours, theirs = socket.socketpair()
        ours.settimeout(START_SECONDS)
        try:
            self._process = subprocess.Popen(
                command(),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment() | dict(loaded.environment),
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            raise SandboxFault(f"cannot start {sys.executable}: {error.strerror}") from error
        finally:
            theirs.close()
        self._control = ours
        try:
            ours.sendall(plan("main", limits, barrier, loaded))
            self.pid = FORKED.unpack(self._receive(FORKED.size))[0]
        except (OSError, SandboxFault) as error:
            self.close()
            raise SandboxFault("the process that workers are forked from did not start") from error

    @property
    def alive(self) -> bool:
        """Whether it still runs and answers."""
        return not self._broken and self._process.poll() is None

    def start(self) -> Process:
        """Fork a worker."""
        try:
            ours, theirs = socket.socketpair()
            output, printed = os.pipe()
        except OSError as error:
            raise SandboxFault(f"cannot start a worker: {error.strerror}") from error
        try:
            with self._lock:
                socket.send_fds(self._control, [REQUEST.pack(FORK, 0)], [theirs.fileno(), printed])
                pid = FORKED.unpack(self._receive(FORKED.size))[0]
            if pid < 0:
                raise SandboxFault(f"cannot start a worker: {os.strerror(-pid)}")
        except (OSError, SandboxFault) as error:
            ours.close()
            os.close(output)
            if isinstance(error, SandboxFault):
                raise
            raise self._ended() from error
        finally:
            theirs.close()
            os.close(printed)
        return Forked(self, pid, SocketChannel(ours, output))

    def reap(self, pid: int, *, gently: bool) -> tuple[int, float, int]:
        """End a worker with all that it started; give its status, CPU seconds and peak memory."""
        with self._lock:
            try:
                self._control.sendall(REQUEST.pack(REAP if gently else KILL, pid))
                status, cpu, peak = REAPED.unpack(self._receive(REAPED.size))
            except OSError as error:
                raise self._ended() from error
        return int(status), float(cpu), int(peak)

    def _ended(self) -> SandboxFault:
        self._broken = True  # its end may take a moment more to be seen
        return SandboxFault("the process that workers are forked from has ended")

    def _receive(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self._control.recv(size - len(data))
            if not part:
                raise self._ended()
            data += part
        return data

    def close(self) -> None:
        """End it and every worker."""
        self._control.close()
        try:
            self._process.wait(timeout=5.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Forked:
    """A worker forked from a zygote."""

    def __init__(self, zygote: Zygote, pid: int, channel: Channel) -> None:
        self.channel = channel
        self.pid = pid
        self._zygote = zygote
        self._end: End | None = None

    @property
    def alive(self) -> bool:
        """Whether nothing is known of its end; what it was forked from would take it along."""
        return self._end is None and self._zygote.alive

    def stood_in_line(self) -> float:
        """Give the seconds that it was ready to run and had no processor."""
        return stood_in_line(self.pid)

    def end(self, *, gently: bool = False) -> End:
        """End it with all that it started; `gently` lets it finish ending by itself."""
        if self._end is None:
            self._end = End("killed")
            try:
                status, cpu, peak = self._zygote.reap(self.pid, gently=gently)
                self._end = End(_how(status, cpu, self._zygote.limits.cpu), cpu, peak)
            finally:
                self.channel.close()
        return self._end


def _how(status: int, cpu: float, allowed: float) -> str:
    if os.WIFEXITED(status):
        return "exit"
    if os.WTERMSIG(status) == signal.SIGXCPU or cpu >= allowed:
        return "cpu"
    return "killed" if os.WTERMSIG(status) == signal.SIGKILL else "signal"


class Fresh:
    """A worker that is a whole process of its own."""

    def __init__(
        self,
        limits: Limits,
        barrier: Mapping[str, Any],
        loaded: Loaded = WORKER,
        cage: Cage | None = None,
    ) -> None:
        cage = cage or Cage()
        self._limits = limits
        self._before = _own_peak()
        try:
            self._process = subprocess.Popen(
                cage.command(command(), [*barrier["packages"], *loaded.packages]),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment() | dict(loaded.environment),
                cwd=Path(sys.executable).anchor,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                bufsize=0,
            )
        except OSError as error:
            raise SandboxFault(f"cannot start a worker: {error.strerror}") from error
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        assert pipes[0] is not None and pipes[1] is not None and pipes[2] is not None
        self.pid = self._process.pid
        # It waits for its plan, so nothing has run yet that a job would come too late for.
        self._job = cage.hold(self._process, limits.memory, limits.cpu)
        self.channel: Channel = PipeChannel(pipes[0], pipes[1], pipes[2])
        self.channel.send(plan("fresh", limits, barrier, loaded), time.monotonic() + START_SECONDS)
        self._end: End | None = None

    @property
    def alive(self) -> bool:
        """Whether nothing is known of its end."""
        return self._end is None

    def stood_in_line(self) -> float:
        """Give the seconds that it was ready to run and had no processor."""
        return stood_in_line(self.pid)

    def end(self, *, gently: bool = False) -> End:
        """End it with all that it started; `gently` lets it finish ending by itself."""
        if self._end is None:
            if hasattr(os, "wait4"):
                self._end = self._ended(GRACE if gently else 0.0)
            else:
                if gently:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        self._process.wait(timeout=GRACE)
                peak = self._job.peak() if self._job is not None else 0
                self._process.kill()
                self._end = End("exit" if self._process.wait() >= 0 else "signal", peak=peak)
            if self._job is not None:
                self._job.close()
            self.channel.close()
        return self._end

    def _ended(self, grace: float) -> End:
        """End its group, and give what the system counted."""
        until, pid, status = time.monotonic() + grace, 0, 0
        while not pid and time.monotonic() < until:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            time.sleep(0.0 if pid else 0.0005)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        if not pid:
            _, status, usage = os.wait4(self.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)  # it need not wait for it
        cpu = usage.ru_utime + usage.ru_stime
        peak = peak_of(usage)
        # Linux counts what the starting process held before it became another program as its own.
        return End(_how(status, cpu, self._limits.cpu), cpu, peak if peak > self._before else 0)


def _own_peak() -> int:
    """Give the bytes of memory that this process held at most; 0 where that is not counted."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    return peak_of(resource.getrusage(resource.RUSAGE_SELF))


_hiding: list[int] = []  # one entry for each sandbox that is open


def hide_memory(hide: bool) -> None:
    """Keep other processes of this user out of this one's memory while a sandbox is open (Linux).

    It is lifted with the last sandbox: a notebook's kernel must stay open to its debugger.
    """
    if sys.platform != "linux":
        return
    import ctypes

    if hide:
        _hiding.append(1)
    elif _hiding:
        _hiding.pop()
    ctypes.CDLL(None).prctl(4, 0 if _hiding else 1, 0, 0, 0)  # PR_SET_DUMPABLE
