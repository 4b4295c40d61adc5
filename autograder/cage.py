"""What is put around a whole process that student code runs in, from outside, by platform.

Linux needs none: there a worker takes its own rights (`confine`). A cage that the system does not
have, or in which no worker starts, is left out; which of them held is for the canary to say.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.jobobject import Job


@dataclass(frozen=True)
class Cage:
    """No cage: a process as it is.

    Attributes
    ----------
    name : str
        Of the layer, as reports have it.
    doors : tuple of str
        What the canary must find shut, if the cage is there.
    """

    name: str = ""
    doors: tuple[str, ...] = ()

    def command(self, program: Sequence[str], granted: Sequence[str]) -> list[str]:
        """Give the command that runs a program in it; `granted` are folders it may read."""
        return list(program)

    def hold(self, process: subprocess.Popen[bytes], memory: int, seconds: int) -> Job | None:
        """Put a process that was just started into it."""
        return None


@dataclass(frozen=True)
class SandboxExec(Cage):
    """macOS' own."""

    name: str = "sandbox-exec"
    doors: tuple[str, ...] = ("read", "list", "write", "make", "fork", "socket")

    def command(self, program: Sequence[str], granted: Sequence[str]) -> list[str]:
        """Give the command that runs a program under a profile."""
        from autograder import seatbelt  # late: whoever starts a process waits for this module

        return seatbelt.command(seatbelt.profile(interpreter(), granted), program)


@dataclass(frozen=True)
class JobObject(Cage):
    """Windows' own."""

    name: str = "job object"
    doors: tuple[str, ...] = ("start",)

    def hold(self, process: subprocess.Popen[bytes], memory: int, seconds: int) -> Job | None:
        """Put the process into a job of its own, before it is told what to run."""
        from autograder.jobobject import Job  # late, as above

        handle = getattr(process, "_handle", None)
        with contextlib.suppress(OSError):
            return Job(int(handle), memory, seconds) if handle is not None else None
        return None


def interpreter() -> list[str]:
    """Give the folders of Python and its library, and the program itself."""
    import sysconfig  # late, as above

    library = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
    return list(dict.fromkeys((sys.base_prefix, sys.base_exec_prefix, *library, program())))


def program() -> str:
    """Give the Python to start where a fork is missing.

    Not a virtual environment's: on Windows that is another program, which starts the real one,
    and a job of one process would not let it.
    """
    if sys.platform in ("win32", "darwin"):
        return str(getattr(sys, "_base_executable", None) or sys.executable)
    return sys.executable


def of_this_platform() -> Cage:
    """Give the strongest cage that this system has."""
    if sys.platform == "darwin" and os.access("/usr/bin/sandbox-exec", os.X_OK):
        return SandboxExec()
    if sys.platform == "win32":
        return JobObject()
    return Cage()


__all__ = ["Cage", "JobObject", "SandboxExec", "interpreter", "of_this_platform", "program"]
