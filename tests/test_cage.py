"""What is put around a whole process on macOS and Windows: what of it can be seen on any system.

Whether it holds is seen where it runs, by the canary; those tests are skipped elsewhere.
"""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograder import boot, cage, jobobject, sandbox, seatbelt
from autograder.cage import Cage, JobObject, SandboxExec
from autograder.jobobject import Basic, Extended, Job
from autograder.sandbox import Sandbox, held, level_of

NAMES = [("softmax", ("softmax",))]
MAC = pytest.mark.skipif(sys.platform != "darwin", reason="needs macOS")
WINDOWS = pytest.mark.skipif(sys.platform != "win32", reason="needs Windows")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell script")


# -- which one -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "there", "name"),
    [
        ("linux", True, ""),
        ("darwin", True, "sandbox-exec"),
        ("darwin", False, ""),
        ("win32", False, "job object"),
        ("freebsd14", True, ""),
    ],
)
def test_the_cage_is_that_of_the_platform(
    monkeypatch: pytest.MonkeyPatch, platform: str, there: bool, name: str
) -> None:
    monkeypatch.setattr(cage.sys, "platform", platform)
    monkeypatch.setattr(cage.os, "access", lambda path, mode: there)
    assert cage.of_this_platform().name == name


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_the_real_python_is_started_where_a_launcher_would_start_another(
    monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(cage.sys, "platform", platform)
    monkeypatch.setattr(cage.sys, "_base_executable", "/base/python", raising=False)
    assert boot.command()[0] == "/base/python"
    monkeypatch.setattr(cage.sys, "platform", "linux")
    assert boot.command()[0] == sys.executable


# -- macOS -----------------------------------------------------------------------------------


def rules(text: str) -> list[tuple[str, str, str]]:
    """Give each rule as verdict, operation and the rest, in order."""
    found = re.findall(r"^\((allow|deny) (\S+?)(?: (\(.*\)))?\)$", text, re.MULTILINE)
    return [(verdict, operation, rest) for verdict, operation, rest in found]


def reads(text: str, path: str) -> bool:
    """Say whether a file may be read under a profile: the last rule that fits wins."""
    open_ = True
    for verdict, operation, rest in rules(text):
        if operation not in ("file-read*", "file-read-data", "default"):
            continue
        under = re.search(r'\(subpath "(.*?)"\)', rest)
        literal = re.search(r'\(literal "(.*?)"\)', rest)
        pattern = re.search(r'\(regex #"(.*?)"\)', rest)
        fits = (
            not rest
            or (under is not None and f"{path}/".startswith(f"{under[1]}/"))
            or (literal is not None and literal[1] == path)
            or (pattern is not None and re.search(pattern[1], path) is not None)
        )
        if fits:
            open_ = verdict == "allow"
    return open_


PROFILE = seatbelt.profile(
    ["/opt/python", "/opt/python/bin/python3"], ["/home/a/venv/lib/site-packages/numpy"]
)


@pytest.mark.parametrize(
    ("path", "open_"),
    [
        ("/opt/python/lib/python3.11/os.py", True),
        ("/opt/python/lib/python3.11/site-packages/torch/x.py", False),
        ("/home/a/venv/lib/site-packages/numpy/linalg/x.so", True),
        ("/home/a/venv/lib/site-packages", True),
        ("/home/a/venv/lib/site-packages/scipy", False),
        ("/home/a/venv/lib/site-packages/scipy/x.py", False),
        ("/home/a/course/solutions/softmax.py", False),
        ("/home/a/.ssh/id_rsa", False),
        ("/private/etc/passwd", False),
        ("/private/tmp/x", False),
        ("/usr/lib/libSystem.B.dylib", True),
        ("/System/Library/x", True),
        ("/dev/urandom", True),
        ("/", True),
        ("/opt/pythonic", False),
    ],
)
def test_a_profile_opens_python_and_numpy_and_nothing_else(path: str, open_: bool) -> None:
    assert reads(PROFILE, path) is open_


@pytest.mark.parametrize(
    "operation", ["network*", "file-write*", "process-fork", "process-exec*", "signal"]
)
def test_a_profile_shuts_what_a_worker_has_no_use_for(operation: str) -> None:
    denied = [rule for rule in rules(PROFILE) if rule[:2] == ("deny", operation)]
    assert denied == [("deny", operation, "")]
    again = [rule[2] for rule in rules(PROFILE) if rule[:2] == ("allow", operation)]
    allowed = {
        "file-write*": ['(literal "/dev/null")'],
        "signal": ["(target self)"],
        "process-exec*": ['(subpath "/opt/python")', '(subpath "/opt/python/bin/python3")'],
    }
    assert again == allowed.get(operation, [])


def test_a_profile_has_its_parentheses_and_quotes_closed() -> None:
    text = seatbelt.profile(['/odd "name"\\x'], [])
    assert '"/odd \\"name\\"\\\\x"' in text
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    assert bare.count("(") == bare.count(")") and '"' not in bare


def test_the_command_runs_the_program_under_the_profile() -> None:
    made = SandboxExec().command(["/opt/python3", "-c", "pass"], ["/numpy"])
    assert made[:2] == ["/usr/bin/sandbox-exec", "-p"]
    assert made[3:] == ["/opt/python3", "-c", "pass"]
    assert '(subpath "/numpy")' in made[2]
    assert reads(made[2], os.path.realpath(os.__file__))
    assert not reads(made[2], os.path.realpath(__file__))


def stand_in(place: Path, body: str) -> str:
    """Write what stands in for sandbox-exec."""
    place.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    place.chmod(0o755)
    return str(place)


@POSIX
def test_a_cage_in_which_no_worker_starts_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seatbelt, "COMMAND", stand_in(tmp_path / "sandbox-exec", "exit 65"))
    monkeypatch.setattr(sandbox.cage, "of_this_platform", SandboxExec)
    with Sandbox(fork=False) as box:
        worker = box.open([("softmax.py", b"def softmax(x): return x")], exercises=NAMES)
        worker.prepare("softmax")
        assert worker.ask("call", "softmax", None, (1.0,), {}, seconds=5.0).value == 1.0
        worker.close()
        assert "sandbox-exec" not in box.layers


@POSIX
@pytest.mark.parametrize(
    ("without", "told"), [(("landlock", "seccomp", "uid"), False), ((), None)], ids=["open", "shut"]
)
def test_a_cage_is_reported_where_its_doors_were_seen_shut_and_only_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without: tuple[str, ...], told: bool | None
) -> None:
    script = stand_in(tmp_path / "sandbox-exec", 'shift 2\nexec "$@"')
    monkeypatch.setattr(seatbelt, "COMMAND", script)
    monkeypatch.setattr(sandbox.cage, "of_this_platform", SandboxExec)
    with Sandbox(fork=False, without=without) as box:
        shut = not any(box.doors[door] for door in SandboxExec().doors)
        assert ("sandbox-exec" in box.layers) is shut
        assert told is None or shut is told


SHUT = dict.fromkeys(("read", "read /etc", "list", "write", "make", "fork", "socket"), False)


@pytest.mark.parametrize(
    ("doors", "level"),
    [
        ({**SHUT, "same user": True}, "L1"),
        ({**SHUT, "read": True}, "L0"),
        ({**SHUT, "socket": True}, "L0"),
        ({"start": False, "read": False, "list": False, "write": False, "make": False}, "L0"),
        ({"start": False, "read": True, "list": True, "write": True, "make": True}, "L0"),
        ({}, "L0"),
    ],
)
def test_the_level_beyond_linux_is_what_was_seen_and_l1_at_most(
    doors: dict[str, bool], level: str
) -> None:
    assert level_of(doors) == level


@pytest.mark.parametrize(
    ("around", "doors", "held_"),
    [
        (Cage(), {}, False),
        (SandboxExec(), SHUT, True),
        (SandboxExec(), {**SHUT, "fork": True}, False),
        (SandboxExec(), {}, False),
        (JobObject(), {"start": False, "read": True}, True),
        (JobObject(), {"start": True}, False),
        (JobObject(), {}, False),
    ],
)
def test_a_cage_held_where_all_it_shuts_was_tried_and_shut(
    around: Cage, doors: dict[str, bool], held_: bool
) -> None:
    assert held(around, doors) is held_


# -- Windows ---------------------------------------------------------------------------------


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="needs 64 bits")
def test_structures_are_as_long_as_windows_has_them() -> None:
    assert (ctypes.sizeof(Basic), ctypes.sizeof(Extended)) == (64, 144)
    assert (Basic.flags.offset, Basic.active_processes.offset) == (16, 40)
    assert (Extended.process_memory.offset, Extended.peak_process_memory.offset) == (112, 128)


def test_limits_say_one_process_so_much_memory_and_time() -> None:
    told = jobobject.limits(512 * 2**20, 60)
    assert told.basic.flags == 0x2 | 0x8 | 0x100 | 0x400 | 0x2000
    assert told.basic.active_processes == 1
    assert told.basic.process_time == 60 * 10_000_000
    assert told.process_memory == 512 * 2**20


class Kernel:
    """Stands in for kernel32: notes what is called, and fails where it is told to."""

    def __init__(self, fails: str = "") -> None:
        self.fails, self.called = fails, []  # type: ignore[var-annotated]

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> int:
            self.called.append((name, *(each for each in arguments if type(each) is int)))
            return 0 if name == self.fails else 77

        return call


def test_a_job_takes_the_process_in_after_its_limits_are_set() -> None:
    kernel = Kernel()
    job = Job(5, 2**29, 60, kernel)
    assert kernel.called == [
        ("CreateJobObjectW",),
        ("SetInformationJobObject", 77, 9, ctypes.sizeof(Extended)),
        ("SetInformationJobObject", 77, 4, 4),
        ("AssignProcessToJobObject", 77, 5),
    ]
    job.close()
    job.close()
    assert kernel.called[4:] == [("TerminateJobObject", 77, 1), ("CloseHandle", 77)]


@pytest.mark.parametrize("fails", ["SetInformationJobObject", "AssignProcessToJobObject"])
def test_a_job_that_cannot_hold_leaves_nothing_open(fails: str) -> None:
    kernel = Kernel(fails)
    with pytest.raises(OSError, match="job object"):
        Job(5, 2**29, 60, kernel)
    assert kernel.called[-1] == ("CloseHandle", 77)


def test_no_job_where_the_system_makes_none() -> None:
    with pytest.raises(OSError, match="no job object"):
        Job(5, 2**29, 60, Kernel("CreateJobObjectW"))


def test_a_process_without_a_handle_is_put_into_no_job() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        if sys.platform != "win32":
            assert JobObject().hold(process, 2**29, 60) is None
        assert Cage().hold(process, 2**29, 60) is None


# -- the real thing --------------------------------------------------------------------------


@MAC
def test_a_worker_on_a_mac_finds_every_door_of_its_cage_shut() -> None:
    with Sandbox() as box:
        assert "sandbox-exec" in box.layers, box.doors
        assert box.level == "L1", box.doors


@WINDOWS
def test_a_worker_on_windows_can_start_no_process() -> None:
    with Sandbox() as box:
        assert "job object" in box.layers, box.doors
        assert box.level == "L0"


@WINDOWS
def test_a_worker_on_windows_gets_no_more_memory_than_its_job_has() -> None:
    code = b"def softmax(x):\n    return len(bytearray(2**30))\n"
    with Sandbox() as box:
        worker = box.open([("softmax.py", code)], exercises=NAMES)
        worker.prepare("softmax")
        reply = worker.ask("call", "softmax", None, (1.0,), {}, seconds=5.0)
        worker.close()
    assert reply.value != 2**30
