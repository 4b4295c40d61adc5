"""Starts and ends the processes that student code runs in.

A `Zygote` is one clean process, started by exec before any secret is near it, from which workers
are forked at a few milliseconds each; where fork is missing, `Fresh` starts a whole process for
each. Both send their children program text, so the kit itself is never on a worker's path or
disk. What is asked of a worker, and what it answers, is not known here.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from autograder.channel import Channel, PipeChannel, SocketChannel
from autograder.zygote import FORK, FORKED, KILL, REAP, REAPED, REQUEST

INSIDE = ("wire", "magics", "cells", "source", "program", "confine", "canary", "worker", "zygote")
START_SECONDS = 30.0
# Reads a counted JSON plan from standard input, makes its modules, and runs the last one.
BOOT = """
import json, os, sys, types
def read(size):
    data = b""
    while len(data) < size:
        part = os.read(0, size - len(data))
        if not part:
            raise SystemExit
        data += part
    return data
plan = json.loads(read(int(read(12))))
sys.argv = ["submission"]
sys.path.append(plan["packages"])
kit = sys.modules["autograder"] = types.ModuleType("autograder")
for name, text in plan["modules"]:
    made = sys.modules["autograder." + name] = types.ModuleType("autograder." + name)
    setattr(kit, name, made)
    exec(compile(text, "<" + name + ">", "exec"), vars(made))
for name in plan["preload"]:
    try:
        __import__(name)
    except ImportError:
        pass
sys.path.remove(plan["packages"])
getattr(sys.modules["autograder.zygote"], plan["be"])(plan)
"""
# What a student's file may well import: loaded once, so that a worker finds it ready. The more
# there is, the longer a fork takes.
PRELOAD = (
    "numpy.fft", "numpy.linalg", "numpy.random", "numpy.ma", "numpy.polynomial", "numpy.typing",
    "abc", "ast", "cmath", "collections.abc", "contextlib", "copy", "dataclasses", "enum",
    "functools", "itertools", "json", "math", "operator", "random", "re", "resource", "string",
    "textwrap", "time", "typing", "unicodedata", "warnings", "zlib",
)  # fmt: skip
# The same where a worker can open no file, and so import nothing more.
LATE = (
    "argparse", "array", "base64", "bisect", "calendar", "concurrent.futures", "csv", "datetime",
    "decimal", "difflib", "fractions", "getpass", "glob", "hashlib", "heapq", "html",
    "importlib.util", "inspect", "io", "keyword", "locale", "logging", "numbers", "pathlib",
    "pickle", "platform", "pprint", "queue", "shutil", "signal", "statistics", "struct", "tempfile",
    "threading", "timeit", "token", "tokenize", "traceback", "types", "unittest", "uuid", "weakref",
)  # fmt: skip


@dataclass(frozen=True)
class Loaded:
    """What the processes of one kind have loaded and may read, beside the worker's own.

    Attributes
    ----------
    serve : str
        The module that answers, one of `INSIDE` or of `modules`.
    modules : tuple of str
        Modules of the kit that are sent beside those of the worker.
    preload : tuple of str
        What is imported before the first fork.
    packages : tuple of str
        Folders of installed packages that may be read.
    environment : dict
        Variables beside the few that every such process has.
    """

    serve: str = "worker"
    modules: tuple[str, ...] = ()
    preload: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


WORKER = Loaded()


class SandboxFault(Exception):
    """The sandbox cannot do its work: the kit's own fault, never the student's."""


class IsolationTooWeak(Exception):
    """This machine cannot confine student code as well as was asked for."""


@dataclass(frozen=True)
class Limits:
    """What one submission's worker may use.

    Attributes
    ----------
    load, total : float
        Seconds of wall time for one preparation, and for everything together.
    cpu : int
        Seconds of processor time.
    memory, address : int
        Bytes of private memory, and of address space.
    file, descriptors : int
        Bytes of one written file; open files.
    """

    load: float = 10.0
    total: float = 120.0
    cpu: int = 60
    memory: int = 512 * 2**20
    address: int = 1536 * 2**20
    file: int = 2**20
    descriptors: int = 64


@dataclass(frozen=True)
class End:
    """How a process ended.

    Attributes
    ----------
    how : str
        ``exit``, ``signal``, ``memory``, ``cpu`` or, where we ended it, ``killed``.
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

    def end(self, *, gently: bool = False) -> End: ...


def plan(be: str, limits: Limits, barrier: Mapping[str, Any], loaded: Loaded = WORKER) -> bytes:
    """Make the counted text that a new process reads first."""
    here = Path(__file__).parent
    modules = [name for name in INSIDE if name != "zygote"] + [*loaded.modules, "zygote"]
    reach = {**barrier, "packages": [*barrier["packages"], *loaded.packages]}
    text = json.dumps(
        {
            "be": be,
            "packages": str(Path(np.__file__).parents[1]),
            "modules": [[n, (here / f"{n}.py").read_text(encoding="utf-8")] for n in modules],
            "serve": loaded.serve,
            "preload": [*PRELOAD, *loaded.preload],
            "late": LATE,
            "limits": asdict(limits),
            "barrier": reach,
        }
    ).encode("ascii")
    return f"{len(text):12d}".encode() + text


def command() -> list[str]:
    """Give the command that starts a Python with nothing of ours or the user's on its path."""
    return [sys.executable, "-P", "-s", "-S", "-B", "-X", "utf8", "-c", BOOT]


def environment() -> dict[str, str]:
    """Give the few variables that a process of student code starts with."""
    kept = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
    threads = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    return (
        {name: os.environ[name] for name in kept if name in os.environ}
        | dict.fromkeys(threads, "1")
        | {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "HOME": "/"}
    )


class Zygote:
    """The clean process that workers are forked from, seen from here. Safe to share by threads."""

    def __init__(self, limits: Limits, barrier: Mapping[str, Any], loaded: Loaded = WORKER) -> None:
        self._lock = threading.Lock()
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
        """Whether it still runs."""
        return self._process.poll() is None

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
            raise SandboxFault("the process that workers are forked from has ended") from error
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
                raise SandboxFault("the process that workers are forked from has ended") from error
        return int(status), float(cpu), int(peak)

    def _receive(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self._control.recv(size - len(data))
            if not part:
                raise SandboxFault("the process that workers are forked from has ended")
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

    def end(self, *, gently: bool = False) -> End:
        """End it with all that it started; `gently` lets it finish ending by itself."""
        if self._end is None:
            self._end = End("killed")
            try:
                status, cpu, peak = self._zygote.reap(self.pid, gently=gently)
                self._end = End(_how(status), cpu, peak)
            finally:
                self.channel.close()
        return self._end


def _how(status: int) -> str:
    if os.WIFEXITED(status):
        return "exit"
    if os.WTERMSIG(status) == signal.SIGXCPU:
        return "cpu"
    return "signal"


class Fresh:
    """A worker that is a whole process of its own."""

    def __init__(self, limits: Limits, barrier: Mapping[str, Any], loaded: Loaded = WORKER) -> None:
        try:
            self._process = subprocess.Popen(
                command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment() | dict(loaded.environment),
                cwd=Path(sys.executable).anchor,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise SandboxFault(f"cannot start a worker: {error.strerror}") from error
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        assert pipes[0] is not None and pipes[1] is not None and pipes[2] is not None
        self.pid = self._process.pid
        self.channel: Channel = PipeChannel(pipes[0], pipes[1], pipes[2])
        self.channel.send(plan("fresh", limits, barrier, loaded), time.monotonic() + START_SECONDS)
        self._end: End | None = None

    def end(self, *, gently: bool = False) -> End:
        """End it with all that it started; `gently` lets it finish ending by itself."""
        if self._end is None:
            if gently:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(timeout=0.1)
            if hasattr(os, "killpg"):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, signal.SIGKILL)
            self._process.kill()
            code = self._process.wait()
            self._end = End("exit" if code >= 0 else "signal")
            self.channel.close()
        return self._end


def barrier(without: Sequence[str]) -> dict[str, Any]:
    """Give what the new process needs to know about what a worker may reach."""
    numpy = Path(np.__file__).parent
    folders = [numpy, numpy.with_name("numpy.libs")]
    filters = Path(__file__).with_name("seccomp.json").read_text(encoding="ascii")
    return {
        "packages": [str(folder) for folder in folders if folder.is_dir()],
        "filters": json.loads(filters),
        "without": list(without),
    }


def hide_memory() -> None:
    """Keep other processes of this user from reading this one's memory (Linux)."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
