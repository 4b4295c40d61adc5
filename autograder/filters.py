"""Makes the system-call filters of the worker, as data: ``python -m autograder.filters``.

A filter is an allow-list in classic BPF. What a NumPy program needs is allowed, some of it only
with harmless arguments; what is known and not needed gives EPERM, so that student code reads
"permission denied"; what is newer than this list gives ENOSYS, so that the C library falls back;
another architecture's entry (``int 0x80``, x32) ends the process. The result, seccomp.json, is
committed, loaded as it is by `confine`, and a test rebuilds it. Nothing here runs while grading.

    allow-list ──▶ this ──▶ seccomp.json ──▶ confine, in each worker

Two filters an architecture: ``files`` lets files be opened, for machines where Landlock says
which; ``no_files`` opens none, where it is missing.
"""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path

# name, number on x86_64, number on aarch64 ("-": not there)
PLAIN = """
read 0 63; write 1 64; close 3 57; openat 257 56; newfstatat 262 79; fstat 5 80; lseek 8 62;
mmap 9 222; mprotect 10 226; munmap 11 215; brk 12 214; madvise 28 233; mremap 25 216;
futex 202 98; poll 7 -; ppoll 271 73; select 23 -; pselect6 270 72;
pread64 17 67; pwrite64 18 68; readv 19 65; writev 20 66; preadv 295 69; pwritev 296 70;
open 2 -; stat 4 -; lstat 6 -; access 21 -; readlink 89 -; getdents64 217 61; getdents 78 -;
readlinkat 267 78; statx 332 291; faccessat 269 48; faccessat2 439 439; getcwd 79 17; dup 32 23;
dup2 33 -; dup3 292 24; close_range 436 436; rt_sigaction 13 134; rt_sigprocmask 14 135;
rt_sigreturn 15 139; rt_sigpending 127 136; sigaltstack 131 132; restart_syscall 219 128;
getpid 39 172; gettid 186 178; getppid 110 173; getuid 102 174; geteuid 107 175; getgid 104 176;
getegid 108 177; getgroups 115 158; getpgid 121 155; getpgrp 111 -; getsid 124 156;
getresuid 118 148; getresgid 120 150; uname 63 160; sysinfo 99 179; getrusage 98 165;
times 100 153; clock_gettime 228 113; clock_getres 229 114; clock_nanosleep 230 115;
nanosleep 35 101; gettimeofday 96 169; time 201 -; getrandom 318 278; getcpu 309 168;
sched_yield 24 124; sched_getaffinity 204 123; sched_getparam 143 121;
sched_getscheduler 145 120; getpriority 140 141; setitimer 38 103; getitimer 36 102; alarm 37 -;
pause 34 -; set_tid_address 218 96; set_robust_list 273 99; rseq 334 293; membarrier 324 283;
exit 60 93; exit_group 231 94; getrlimit 97 163; wait4 61 260
"""
OPENING = ("open", "openat")
NEWEST = 462  # the newest system call that was looked at when the list was made
NUMBERS = {"clone": (56, 220), "clone3": (435, 435), "prctl": (157, 167), "ioctl": (16, 29),
           "fcntl": (72, 25), "prlimit64": (302, 261)}  # fmt: skip
ARCHES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32 = 0x40000000
CLONE_THREAD = 0x10000
# PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_GET_NO_NEW_PRIVS, PR_SET_VMA
PRCTL = (2, 3, 15, 16, 39, 0x53564D41)
IOCTL = (0x5401, 0x5413, 0x5421, 0x5450, 0x5451)  # TCGETS TIOCGWINSZ FIONBIO FIONCLEX FIOCLEX
FCNTL = (0, 1, 2, 3, 4, 5, 1030)  # F_DUPFD GETFD SETFD GETFL SETFL GETLK DUPFD_CLOEXEC

ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
LOAD, RETURN, EQUAL, AT_LEAST, SET = 0x20, 0x06, 0x15, 0x35, 0x45
NUMBER_AT, ARCH_AT, ARGS_AT = 0, 4, 16

Step = tuple[int, int, int, int]  # code, jump if true, jump if false, value


def give(action: int) -> list[Step]:
    """End with `action`."""
    return [(RETURN, 0, 0, action)]


def when(test: int, value: int, steps: list[Step]) -> list[Step]:
    """Do `steps` if the loaded word passes the test; else go past them."""
    return [(test, 0, len(steps), value), *steps]


def load(at: int) -> list[Step]:
    """Load a word of the call: its number, architecture or half an argument."""
    return [(LOAD, 0, 0, at)]


def argument(number: int, values: tuple[int, ...]) -> list[Step]:
    """Allow the call if the argument's low half is one of `values`."""
    allowed = [step for value in values for step in when(EQUAL, value, give(ALLOW))]
    return [*load(ARGS_AT + 8 * number), *allowed, *give(EPERM)]


def limits_read() -> list[Step]:
    """Allow ``prlimit64`` for this process alone, with no new limit."""
    steps: list[Step] = give(ALLOW)
    for at in (ARGS_AT, ARGS_AT + 16, ARGS_AT + 20):
        steps = [*load(at), *when(EQUAL, 0, steps), *give(EPERM)]
    return steps


def choose(cases: list[tuple[int, list[Step]]]) -> list[Step]:
    """Do the steps of the last case whose first number is not above the loaded word."""
    if len(cases) == 1:
        return cases[0][1]
    half = len(cases) // 2
    below, rest = choose(cases[:half]), choose(cases[half:])
    return [(AT_LEAST, len(below), 0, cases[half][0]), *below, *rest]


def build(arch: str, *, files: bool) -> bytes:
    """Give the filter for an architecture, as the kernel takes it."""
    column = list(ARCHES).index(arch)
    calls: dict[int, list[Step]] = {}
    for entry in PLAIN.replace("\n", " ").split(";"):
        name, *numbers = entry.split()
        if numbers[column] != "-" and (files or name not in OPENING):
            calls[int(numbers[column])] = give(ALLOW)
    thread = [*load(ARGS_AT), *when(SET, CLONE_THREAD, give(ALLOW)), *give(EPERM)]
    checked = {
        "clone": thread,
        "clone3": give(ENOSYS),
        "prctl": argument(0, PRCTL),
        "ioctl": argument(1, IOCTL),
        "fcntl": argument(1, FCNTL),
        "prlimit64": limits_read(),
    }
    calls |= {NUMBERS[name][column]: steps for name, steps in checked.items()}
    cases: list[tuple[int, list[Step]]] = []
    for number in range(NEWEST + 1):
        steps = calls.get(number, give(EPERM))
        if not cases or cases[-1][1] != steps:
            cases.append((number, steps))
    cases.append((NEWEST + 1, give(ENOSYS)))
    if arch == "x86_64":
        cases.append((X32, give(KILL)))
    right = [(EQUAL, 1, 0, ARCHES[arch]), *give(KILL)]
    steps = [*load(ARCH_AT), *right, *load(NUMBER_AT), *choose(cases)]
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def text() -> str:
    """Give all filters as JSON text."""
    made = {
        arch: {
            name: base64.b64encode(build(arch, files=name == "files")).decode("ascii")
            for name in ("files", "no_files")
        }
        for arch in ARCHES
    }
    return json.dumps(made, indent=1) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("seccomp.json").write_text(text(), encoding="ascii")
