"""Tries, from inside a worker, what student code must not be able to do.

A layer that was put on is a claim; a door that does not open is evidence. The sandbox sends one
worker through this at its start and reports the level that it saw. This runs inside the worker:
standard library only, and it leaves nothing behind where a door does open.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from autograder import confine

LINUX_ONLY = ("parent", "exec", "memory", "new call")


def doors(told: Mapping[str, Any]) -> dict[str, bool]:
    """Try, as student code could, what must not work; say of each door whether it opened."""
    secret = told["secret"]
    parent = os.getppid()
    tries: dict[str, Callable[[], object]] = {
        "read": lambda: os.close(os.open(secret, os.O_RDONLY)),
        "read /etc": lambda: os.close(os.open("/etc/passwd", os.O_RDONLY)),
        "list": lambda: os.listdir(os.path.dirname(secret)),  # noqa: PTH120, PTH208
        "write": lambda: os.close(os.open(secret, os.O_WRONLY)),
        "make": lambda: _made(told["scratch"]),
        "parent": lambda: os.close(os.open(f"/proc/{parent}/environ", os.O_RDONLY)),
        "chmod": lambda: os.chmod(secret, told["mode"]),  # noqa: PTH101
        "utime": lambda: os.utime(secret, ns=tuple(told["times"])),
        "signal": lambda: os.kill(parent, 0),
        "fork": _forked,
        "exec": _executed,
        "socket": _socket,
        "memory": _shared_memory,
        "new call": _new_call,
        "start": _started,
    }
    if not hasattr(os, "fork"):
        tries = {name: tries[name] for name in ("read", "list", "write", "make", "socket", "start")}
    else:
        del tries["start"]  # a fork says as much
        if not confine.LINUX:  # what only Linux has would seem to be shut
            tries = {n: t for n, t in tries.items() if n not in LINUX_ONLY}
    found = {name: _opens(attempt) for name, attempt in tries.items()}
    if hasattr(os, "getuid"):
        found["same user"] = os.getuid() == told["uid"]
    if confine.LINUX:
        found["dumpable"] = confine.control(confine.GET_DUMPABLE) != 0
        found["privileges"] = confine.control(confine.GET_NO_NEW_PRIVS) != 1
    return found


def _opens(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _made(folder: str) -> None:
    path = os.path.join(folder, f"attn-canary-{os.getpid()}")  # noqa: PTH118
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(path)  # noqa: PTH108


def _forked() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _executed() -> None:
    try:
        os.execv("/nonexistent", ["x"])
    except OSError as error:
        if error.errno == errno.EPERM:
            raise


def _started() -> None:
    os.waitpid(os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, "-c", ""]), 0)


def _socket() -> None:
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        if not confine.LINUX:  # there the use is shut, not the making
            made.bind(("127.0.0.1", 0))


def _shared_memory() -> None:
    os.close(os.memfd_create("canary"))


def _new_call() -> None:
    try:
        confine.call(463)
    except OSError as error:
        if error.errno != errno.ENOSYS:
            return  # it reached the kernel
        raise
