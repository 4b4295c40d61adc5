"""The system-call filters: the shipped bytes are what the list makes, and say what they should."""

from __future__ import annotations

import base64
import ctypes
import ctypes.util
import json
import struct
from pathlib import Path

import pytest

from autograder import filters

SHIPPED = Path(filters.__file__).with_name("seccomp.json")
ARCHES = list(filters.ARCHES)
BOTH = [(arch, kind) for arch in ARCHES for kind in ("files", "no_files")]
NAMES = {"x86_64": 0, "aarch64": 1}


def table(arch: str) -> dict[str, int]:
    """Give every system call that the list names, with its number."""
    found = {name: numbers[NAMES[arch]] for name, numbers in filters.NUMBERS.items()}
    for entry in filters.PLAIN.replace("\n", " ").split(";"):
        name, *numbers = entry.split()
        if numbers[NAMES[arch]] != "-":
            found[name] = int(numbers[NAMES[arch]])
    return found


def verdict(arch: str, kind: str, number: int, *arguments: int, entry: int | None = None) -> int:
    """Run a shipped filter as the kernel would, on one call."""
    program = base64.b64decode(json.loads(SHIPPED.read_text("ascii"))[arch][kind])
    steps = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    arguments = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("<IIQ6Q", number, entry or filters.ARCHES[arch], 0, *arguments)
    at, word = 0, 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == filters.LOAD:
            (word,) = struct.unpack_from("<I", data, value)
        elif code == filters.RETURN:
            return value
        else:
            passed = {
                filters.EQUAL: word == value,
                filters.AT_LEAST: word >= value,
                filters.SET: bool(word & value),
            }[code]
            at += yes if passed else no


def test_the_shipped_filters_are_what_the_list_makes() -> None:
    assert SHIPPED.read_text("ascii") == filters.text()


@pytest.mark.parametrize(("arch", "kind"), BOTH)
def test_a_filter_is_short_enough_and_every_jump_is_inside(arch: str, kind: str) -> None:
    program = base64.b64decode(json.loads(SHIPPED.read_text("ascii"))[arch][kind])
    steps = [struct.unpack_from("<HBBI", program, at) for at in range(0, len(program), 8)]
    assert len(steps) < 4096
    for at, (code, yes, no, _) in enumerate(steps):
        if code not in (filters.LOAD, filters.RETURN):
            assert at + 1 + max(yes, no) < len(steps)
    assert steps[-1][0] == filters.RETURN


@pytest.mark.parametrize(("arch", "kind"), BOTH)
def test_a_call_of_the_list_is_allowed_and_every_other_is_not(arch: str, kind: str) -> None:
    known = table(arch)
    plain = {number for name, number in known.items() if name not in filters.NUMBERS}
    if kind == "no_files":
        plain -= {known[name] for name in filters.OPENING if name in known}
    checked = {known[name] for name in filters.NUMBERS}
    for number in set(range(filters.NEWEST + 1)) - checked:
        wanted = filters.ALLOW if number in plain else filters.EPERM
        assert verdict(arch, kind, number) == wanted, number


@pytest.mark.parametrize(("arch", "kind"), BOTH)
@pytest.mark.parametrize("number", [463, 467, 600, 0x3FFFFFFF])
def test_a_call_newer_than_the_list_is_unknown(arch: str, kind: str, number: int) -> None:
    assert verdict(arch, kind, number) == filters.ENOSYS


@pytest.mark.parametrize(("arch", "kind"), BOTH)
def test_another_entry_ends_the_process(arch: str, kind: str) -> None:
    for entry in (0x40000003, 0x40000028, 0xC00000B7 + 0xC000003E - filters.ARCHES[arch]):
        assert verdict(arch, kind, 0, entry=entry) == filters.KILL
    if arch == "x86_64":
        for number in (0, 41, 520, 0x3FFFFFFF):
            assert verdict(arch, kind, filters.X32 + number) == filters.KILL


CHECKED = [
    ("clone", (0x3D0F00,), filters.ALLOW),  # what a thread of glibc asks for
    ("clone", (17,), filters.EPERM),  # fork
    ("clone", (0x4111,), filters.EPERM),  # vfork
    ("clone3", (0, 88), filters.ENOSYS),
    ("prctl", (15,), filters.ALLOW),
    ("prctl", (1, 0), filters.EPERM),
    ("prctl", (4, 1), filters.EPERM),
    ("prctl", (22, 0), filters.EPERM),
    ("prctl", (36, 1), filters.EPERM),
    ("ioctl", (0, 0x5401), filters.ALLOW),
    ("ioctl", (0, 0x5412), filters.EPERM),  # TIOCSTI types into a terminal
    ("fcntl", (0, 3), filters.ALLOW),
    ("fcntl", (0, 8), filters.EPERM),  # F_SETOWN
    ("fcntl", (0, 1031), filters.EPERM),  # F_SETPIPE_SZ
    ("prlimit64", (0, 7, 0, 1), filters.ALLOW),
    ("prlimit64", (1, 7, 0, 1), filters.EPERM),
    ("prlimit64", (0, 7, 1, 0), filters.EPERM),
    ("prlimit64", (0, 7, 2**40, 0), filters.EPERM),
]


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize(("name", "arguments", "wanted"), CHECKED)
def test_an_argument_decides_where_it_must(
    arch: str, name: str, arguments: tuple[int, ...], wanted: int
) -> None:
    assert verdict(arch, "files", table(arch)[name], *arguments) == wanted


FORBIDDEN = (
    "socket connect sendmsg sendto recvmsg fork vfork execve execveat kill tkill tgkill ptrace "
    "process_vm_readv process_vm_writev chmod fchmod fchmodat utimensat setxattr unlink unlinkat "
    "rename renameat2 mkdir mkdirat symlink link mknod truncate ftruncate memfd_create shmget "
    "msgget semget io_uring_setup bpf unshare setns mount chroot pivot_root keyctl add_key "
    "userfaultfd perf_event_open setuid capset prlimit setrlimit sched_setaffinity chdir pidfd_open"
).split()


@pytest.mark.parametrize("arch", ARCHES)
def test_what_must_be_denied_is_not_in_the_list(arch: str) -> None:
    assert not set(FORBIDDEN) & set(table(arch))


@pytest.mark.parametrize("arch", ARCHES)
def test_the_numbers_are_those_of_libseccomp(arch: str) -> None:
    found = ctypes.util.find_library("seccomp")
    if found is None:
        pytest.skip("libseccomp is not installed")
    library = ctypes.CDLL(found)
    library.seccomp_syscall_resolve_name_arch.argtypes = [ctypes.c_uint32, ctypes.c_char_p]
    for name, number in table(arch).items():
        told = library.seccomp_syscall_resolve_name_arch(filters.ARCHES[arch], name.encode())
        assert told == number, name
