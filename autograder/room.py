"""The memory that this process may use, where the user or the system set a limit.

It is asked first, before NumPy is imported (whose OpenBLAS ends a process for want of memory), and
last of all, when memory ran out: so it imports nothing large, and nothing of the kit's.
"""

from __future__ import annotations

import errno
import os
import sys

if sys.platform != "win32":
    import resource

UNITS = 1024  # the shell's, in which limits are set and told
FLOOR = (256 * 2**20, 128 * 2**20)  # bytes of address space and of data: every command's work
KINDS = (
    ("RLIMIT_AS", "address space", "ulimit -v", "VmPeak"),
    ("RLIMIT_DATA", "data", "ulimit -d", "VmData"),
)
NEAR = 0.7  # of a limit: one more large piece is refused, and less than this was never short
_RAISE = "Raise that limit (`{command} unlimited`, or in the job's settings)"


def prepare() -> None:
    """Start fewer threads where memory is limited: each of OpenBLAS' takes 40 MB of it."""
    if any(_limits()):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def lacking(address: int, data: int, work: str) -> str | None:
    """Say which limit is too low for a work that takes so many bytes; None where it can begin."""
    for limit, need, (_, kind, command, _) in zip(_limits(), (address, data), KINDS, strict=True):
        if limit is not None and limit < need:
            return (
                f"this process may use {limit // UNITS} kB of {kind} (`{command}`), and {work} "
                f"takes {need // UNITS} kB. {_RAISE.format(command=command)}"
            )
    return None


def ran_out(error: BaseException, *, guess: bool = False) -> str | None:
    """Say that an error came of too little memory; None where it did not.

    For want of memory Python and its libraries raise anything: `ImportError`, `RuntimeError` of a
    thread, `ValueError`. With `guess`, whatever nobody expected is that where a limit is near.
    """
    limits = _limits()
    near = [
        limit is not None and peak is not None and peak > NEAR * limit
        for limit, peak in zip(limits, _peaks() if guess else [None, None], strict=True)
    ]
    if not any(near) and not _says_so(error):
        return None
    for at, (limit, (_, kind, command, _)) in enumerate(zip(limits, KINDS, strict=True)):
        if limit is not None and (near[at] or not any(near)):
            return (
                f"memory ran out ({type(error).__name__}): this process may use {limit // UNITS} "
                f"kB of {kind} (`{command}`). {_RAISE.format(command=command)}"
            )
    return "memory ran out on this machine. End other programs, or grade with fewer --jobs"


def _says_so(error: BaseException) -> bool:
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        if isinstance(each, MemoryError) or getattr(each, "errno", None) == errno.ENOMEM:
            return True
        seen.add(id(each))
        each = each.__cause__ or each.__context__
    return False


def _limits() -> list[int | None]:
    """Give the bytes that each kind is limited to; None where it is not."""
    if sys.platform == "win32":
        return [None for _ in KINDS]
    told = (resource.getrlimit(getattr(resource, name))[0] for name, *_ in KINDS)
    return [None if limit == resource.RLIM_INFINITY else limit for limit in told]


def _peaks() -> list[int | None]:
    """Give the bytes that this process held of each kind, at most or now; None where unknown."""
    found: dict[str, int] = {}
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:  # noqa: PTH123
            for line in status:
                name, _, value = line.partition(":")
                if name in ("VmPeak", "VmData"):
                    found[name] = int(value.split()[0]) * UNITS
    except (OSError, ValueError, MemoryError):
        pass
    return [found.get(name) for *_, name in KINDS]
