"""Give up rights, for good, before a student's code runs in this process.

Base level: resource limits and process attributes. What could be applied is returned by name.
This runs inside the worker: standard library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_SET_CHILD_SUBREAPER = 1, 4, 38, 36


def limit(limits: Mapping[str, Any]) -> list[str]:
    """Lower the resource limits of this process."""
    if sys.platform == "win32":
        return []
    import resource

    wanted = {
        "RLIMIT_CPU": limits["cpu"],
        "RLIMIT_DATA": limits["memory"],
        "RLIMIT_AS": limits["address"],
        "RLIMIT_FSIZE": limits["file"],
        "RLIMIT_NOFILE": limits["descriptors"],
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
    }
    for name, value in wanted.items():
        which = getattr(resource, name, None)
        if which is None:
            continue
        _, hard = resource.getrlimit(which)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        top = value + 1 if name == "RLIMIT_CPU" else value
        try:
            resource.setrlimit(which, (value, top))
        except (ValueError, OSError):
            continue
    return ["rlimits"]


def become_zygote() -> None:
    """Hide this process' memory from others of the same user, and adopt orphans."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children() -> set[int]:
    """Give the processes whose parent this one is, where the system can say."""
    found: set[int] = set()
    with contextlib.suppress(OSError):
        listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
        found.update(map(int, listed.split()))
    return found


def doors(plan: Mapping[str, Any]) -> dict[str, bool]:
    """Try what a worker must not be able to do; say of each whether it worked."""
    return {}


def apply(limits: Mapping[str, Any], barrier: Mapping[str, Any]) -> list[str]:
    """Give up rights, and say which layers hold."""
    layers = limit(limits)
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        libc.prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0)
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        layers.append("process")
    os.environ.clear()
    return layers
