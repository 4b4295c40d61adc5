"""What is started early: ready when it is needed, ended when it is not."""

from __future__ import annotations

import marshal
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest

from autograder import boot, launch
from autograder.launch import IsolationTooWeak, SandboxFault
from autograder.sandbox import Sandbox
from autograder.warming import Warming

ROOT = Path(__file__).resolve().parent.parent
FORKS = pytest.mark.skipif(not launch.forks(), reason="workers are not forked here")


def test_a_sandbox_is_there_when_it_is_asked_for() -> None:
    with Warming() as warming:
        sandbox = warming.ready()
        assert sandbox is warming.ready()
        worker = sandbox.open([("a.py", b"x = 1\n")], exercises=[])
        assert worker.report.files[0].error is None
        worker.close()


@FORKS
def test_the_sandbox_forks_from_the_process_that_was_started_early() -> None:
    with Warming() as warming:
        sandbox = warming.ready()
        early = sandbox.zygote_pid
        sandbox.open([], exercises=[]).close()
        assert early is not None and sandbox.zygote_pid == early


@FORKS
def test_what_was_started_ends_when_nobody_asked_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[launch.Zygote] = []
    make = launch.Zygote

    def noted(*given: object) -> launch.Zygote:
        started.append(make(*given))  # type: ignore[arg-type]
        return started[0]

    monkeypatch.setattr(launch, "Zygote", noted)
    with Warming():
        pass
    [zygote] = started
    assert not zygote.alive


def test_what_kept_it_from_starting_is_raised_where_it_is_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> dict[str, object]:
        raise SandboxFault("no process today")

    monkeypatch.setattr(boot, "barrier", broken)
    with Warming() as warming, pytest.raises(SandboxFault, match="no process today"):
        warming.ready()


def test_nobody_waits_for_numpy_before_it_starts() -> None:
    code = "import sys, autograder.warming; print('numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


# What is started ahead


def test_the_process_started_ahead_is_the_next_that_is_used(asked: list[str]) -> None:
    with Sandbox() as sandbox:
        sandbox.ahead()
        sandbox.ahead()
        assert asked == ["worker"]
        sandbox.open([("a.py", b"x = 1\n")], exercises=[]).close()
        assert asked == ["worker"]
        sandbox.open([], exercises=[]).close()
        assert asked == ["worker"] * 2


@FORKS
def test_another_is_started_when_what_it_was_forked_from_has_ended() -> None:
    with Sandbox() as sandbox:
        sandbox.ahead()
        first = sandbox.zygote_pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        time.sleep(0.2)
        worker = sandbox.open([("a.py", b"x = 1\n")], exercises=[])
        assert worker.report.files[0].error is None
        worker.close()
        assert sandbox.zygote_pid != first


@FORKS
def test_nothing_is_left_of_it_when_the_sandbox_is_closed() -> None:
    with Sandbox() as sandbox:
        sandbox.ahead()
        spare = sandbox._spare
        assert spare is not None and spare.alive
    assert not spare.alive
    assert not Path(f"/proc/{spare.pid}").exists()  # type: ignore[attr-defined]


# What is tried, and when


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Whatever starts a worker notes it."""
    noted: list[str] = []
    start = Sandbox._start

    def counted(self: Sandbox) -> launch.Process:
        noted.append("worker")
        return start(self)

    monkeypatch.setattr(Sandbox, "_start", counted)
    yield noted


def test_doors_are_tried_once_and_only_when_the_level_is_asked_for(asked: list[str]) -> None:
    with Sandbox() as sandbox:
        assert asked == []
        assert sandbox.level in ("L0", "L1", "L2", "L3", "L4")
        assert sandbox.layers and sandbox.doors
        assert asked == ["worker"]


def test_doors_are_tried_at_once_when_a_level_is_required(asked: list[str]) -> None:
    with pytest.raises(IsolationTooWeak):
        Sandbox(require="L4", without=("landlock", "seccomp"))
    assert asked == ["worker"]


def _files(code: CodeType) -> set[str]:
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return {code.co_filename}.union(*(_files(each) for each in inner))


def test_the_code_that_is_sent_says_nothing_of_this_disk() -> None:
    plan = boot.plan("main", boot.Limits(), boot.barrier(()))
    size = int(plan[:12])
    at = 12 + size
    code = plan[at + 12 :]
    assert len(code) == int(plan[at : at + 12])
    for name, each in marshal.loads(code):
        assert _files(each) == {f"<{name}>"}
    assert str(ROOT).encode() not in code
