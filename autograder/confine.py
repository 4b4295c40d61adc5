"""Give up rights, for good, before a student's code runs in this process.

Theory of operation
-------------------
A worker is a fork of the zygote, which was started by exec and holds no secret. It then takes
from itself, in this order, what each step needs from the next being still there:

1. *session and descriptors* (zygote): its own process group; only the channel and the output stay.
2. *resource limits*: processor time, memory, file size, descriptors, no core files. The number of
   processes is not limited this way: that limit counts the user, not the worker, and root is
   exempt. Step 8 denies fork instead.
3. *another user*, when root and the interpreter is readable to others: a number of its own.
   Otherwise root drops every capability.
4. *dumpable 0*: no other process of the user may read its memory, nor it theirs (they do the
   same). Step 3 resets it, so it comes after.
5. *parent-death signal*: the zygote's end is its end. Cleared by step 3 too.
6. *no new privileges*: set-user-id programs give nothing; needed by steps 7 and 8.
7. *Landlock*: files can be read in the standard library, NumPy and the folders of system
   libraries that they load, and nowhere else; nothing can be written, listed or made elsewhere;
   no TCP; no signal and no abstract socket out of the worker. Not covered by it: stat, chmod,
   utime, UDP, fork.
8. *seccomp*: an allow-list of system calls covers those: no socket, no process, no signal, no
   change of a file's metadata, no shared memory, nothing newer than the list. Where Landlock is
   missing, the filter that opens no file at all takes its place.

Left open: asking whether a file exists, how large it is and when it was written; computing as much
as the limits allow; whatever a hole in the allowed system calls gives.

`canary` tries from inside what must not work; the sandbox believes that, not this list. There is
no maintained library for steps 7 and 8 that needs no compiler and spawns nothing; the calls are
made through ctypes here and nowhere else. Linux alone has steps 3 to 8.

This runs inside the worker and the zygote: standard library only.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import os
import platform
import re
import stat
import struct
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

if sys.platform != "win32":
    import resource

LINUX = sys.platform == "linux"
LIBC: Any = ctypes.CDLL(None, use_errno=True) if LINUX else None

PDEATHSIG, DUMPABLE, GET_DUMPABLE, SECCOMP, NO_NEW_PRIVS, SUBREAPER = 1, 4, 3, 22, 38, 36
GET_PDEATHSIG, GET_NO_NEW_PRIVS = 2, 39
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # Landlock, on every architecture
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
# Landlock version → the rights on files that it knows
FILE_RIGHTS = {1: 2**13 - 1, 2: 2**14 - 1, 3: 2**15 - 1, 4: 2**15 - 1, 5: 2**16 - 1}
NET_RIGHTS, SCOPES = 3, 3  # bind and connect (version 4); abstract sockets and signals (6)
NO_CAPABILITY = (struct.pack("<Ii", 0x20080522, 0), bytes(24))  # version 3, this process; no sets
# Debian's folders for libraries of one architecture, which hold a thousand and nothing of Python's:
# one rule, because each worker copies every rule.
MULTIARCH = re.compile(r"(?:/usr)?/lib/[a-z0-9_]+-linux-[a-z0-9]+")
SPARE_UIDS = (61184, 4096)  # first and count of user numbers that no account has


class _Program(ctypes.Structure):
    """A filter as the kernel takes it: how many steps, and where they are."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def call(number: int, *arguments: Any) -> int:
    """Make a system call; raise OSError where it fails."""
    result = int(LIBC.syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def control(option: int, value: int = 0) -> int:
    return int(LIBC.prctl(option, ctypes.c_ulong(value), 0, 0, 0))


# -- the zygote's part -----------------------------------------------------------------------


def become_zygote() -> None:
    """Hide this process' memory from others of the same user, and adopt orphans."""
    if LINUX:
        control(DUMPABLE, 0)
        control(SUBREAPER, 1)


_listed: list[int] = []  # where the system lists this process' children, once it is open


def children() -> set[int]:
    """Give the processes whose parent this one is, where the system can say."""
    found: set[int] = set()
    with contextlib.suppress(OSError):
        if not _listed:
            _listed.append(os.open(f"/proc/self/task/{os.getpid()}/children", os.O_RDONLY))
        text = b""
        while part := os.pread(_listed[0], 2**16, len(text)):
            text += part
        found.update(map(int, text.split()))
    return found


def threads() -> int:
    """Give how many threads this process has, where the system can say."""
    with contextlib.suppress(OSError):
        return len(list(Path("/proc/self/task").iterdir()))
    return 1


class Barrier:
    """What can be made once, in the zygote, for all its workers.

    Parameters
    ----------
    told : dict
        ``packages``, the folders of allowed packages; ``filters``, the system-call filters of
        each architecture; ``without``, layers to leave out (for measuring and for tests).
    limits : dict
        What a worker may use, as `boot.Limits` has it.
    """

    def __init__(self, told: Mapping[str, Any], limits: Mapping[str, Any]) -> None:
        self.limits = _limits(limits)
        self.without = frozenset(told["without"])
        self.ruleset = -1
        self.program: _Program | None = None
        self.uid: int | None = None
        if not LINUX:
            return
        _ = LIBC.capset, LIBC.prctl, LIBC.syscall  # looked up once, for all workers
        if "landlock" not in self.without:
            with contextlib.suppress(OSError):
                self.ruleset = _ruleset(told["packages"])
        if "seccomp" not in self.without:
            filters = told["filters"].get(platform.machine())
            if filters is not None and struct.calcsize("P") == 8:
                kind = "files" if self.ruleset >= 0 else "no_files"
                steps = base64.b64decode(filters[kind])
                self.program = _Program(len(steps) // 8, steps)
        if "uid" not in self.without and os.getuid() == 0 and _readable_to_others(told["packages"]):
            self.uid = SPARE_UIDS[0]

    def give_up(self) -> None:
        """Leave Landlock and the filter out: they would not hold for the whole process."""
        if self.ruleset >= 0:
            os.close(self.ruleset)
        self.ruleset, self.program = -1, None


def _ruleset(packages: list[str]) -> int:
    version = call(CREATE_RULESET, None, 0, 1)
    rights = FILE_RIGHTS.get(version, FILE_RIGHTS[5])
    attributes = struct.pack(
        "<QQQ", rights, NET_RIGHTS if version >= 4 else 0, SCOPES if version >= 6 else 0
    )
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = call(CREATE_RULESET, attributes, size, 0)
    for path, allowed in _readable(packages):
        with contextlib.suppress(OSError):
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                if not stat.S_ISDIR(os.fstat(place).st_mode):
                    allowed &= EXECUTE | WRITE_FILE | READ_FILE
                call(ADD_RULE, ruleset, 1, struct.pack("<Qi", allowed & rights, place), 0)
            finally:
                os.close(place)
    return ruleset


def _readable(packages: list[str]) -> list[tuple[str, int]]:
    """Give what a worker may read: path, rights. No folder with other packages in it, whole."""
    found = [(path, READ_FILE | READ_DIR | EXECUTE) for path in packages]
    for folder in _library_folders():
        found.append((folder, READ_DIR))
        found += [
            (entry.path, READ_FILE | READ_DIR | EXECUTE)
            for entry in os.scandir(folder)
            if entry.name not in ("site-packages", "dist-packages", "test", "idlelib")
        ]
    for folder in _loaded_from():
        if MULTIARCH.fullmatch(folder):
            found.append((folder, READ_FILE | EXECUTE))
            continue
        with contextlib.suppress(OSError):
            names = [entry.path for entry in os.scandir(folder) if ".so" in entry.name]
            found += [(path, READ_FILE | EXECUTE) for path in names]
    found += [("/etc/ld.so.cache", READ_FILE), ("/dev/urandom", READ_FILE)]
    return [*found, ("/dev/null", READ_FILE | WRITE_FILE)]


def _library_folders() -> list[str]:
    return [path for path in sys.path if Path(path).is_dir()]


def _loaded_from() -> set[str]:
    """Give the folders that the libraries in this process came from."""
    found = set()
    for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines():
        named = re.search(r" (/.*\.so[^/]*)$", line)
        if named:
            found.add(os.path.dirname(named[1]))  # noqa: PTH120
    return found


def _readable_to_others(packages: list[str]) -> bool:
    for path in (*packages, *_library_folders(), sys.executable):
        place = Path(path).resolve()
        try:
            if not all(each.stat().st_mode & 1 for each in (place, *place.parents)):
                return False
        except OSError:
            return False
    return True


# -- the worker's part -----------------------------------------------------------------------


def apply(barrier: Barrier) -> list[str]:
    """Take the steps above; give the names of the layers that were put on."""
    layers = ["limits"] if barrier.limits else []
    for which, soft, top in barrier.limits:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(which, (soft, top))
    if os.environ:
        os.environ.clear()
    if not LINUX:
        return layers
    if _other_user(barrier.uid):
        layers.append("user")
    if "process" not in barrier.without:
        control(DUMPABLE, 0)
        control(PDEATHSIG, 9)
        control(NO_NEW_PRIVS, 1)
        layers.append("process")
    with contextlib.suppress(OSError):
        if barrier.ruleset >= 0:
            call(RESTRICT_SELF, barrier.ruleset, 0)
            layers.append("landlock")
    if barrier.ruleset >= 0:
        os.close(barrier.ruleset)
    if barrier.program is not None and _filter(barrier.program):
        layers.append("seccomp" if "landlock" in layers else "seccomp without files")
    return layers


def _limits(limits: Mapping[str, Any]) -> list[tuple[int, int, int]]:
    """Give each limit as the system knows it: which, where it is told of, where it holds."""
    if sys.platform == "win32":
        return []
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
    found = []
    for name, value in wanted.items():
        which = getattr(resource, name, None)
        if which is None:
            continue
        _, hard = resource.getrlimit(which)
        soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
        top = soft + 1 if name == "RLIMIT_CPU" and soft == value else soft
        found.append((which, soft, top))
    return found


def _other_user(uid: int | None) -> bool:
    if os.getuid() != 0:
        return False
    if uid is not None:
        own = uid + os.getpid() % SPARE_UIDS[1]
        with contextlib.suppress(OSError):
            os.setgroups([])
            os.setresgid(own, own, own)
            os.setresuid(own, own, own)
            return True
    LIBC.capset(*NO_CAPABILITY)
    return False


def _filter(program: _Program) -> bool:
    return int(LIBC.prctl(SECCOMP, 2, ctypes.byref(program), 0, 0)) == 0
