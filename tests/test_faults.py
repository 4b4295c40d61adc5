"""The kit's own faults, injected: no score invented, none lost, and the fault has a name."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from classroom import plan, write
from click.testing import CliRunner, Result

from autograder import batch, grader, judge
from autograder.cli import main
from autograder.exercise import Kit
from autograder.sandbox import Sandbox

RIGHT = "def twice(x):\n    return x * 2\n"
SLOW = "import time\ntime.sleep(0.05)\n" + RIGHT
WRONG = "def twice(x):\n    return x\n"
LOOP = "def twice(x):\n    while True: pass\n"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")


@pytest.fixture
def school(tmp_path: Path) -> Path:
    place = tmp_path / "class"
    for number in range(12):
        code = (SLOW, WRONG, SLOW)[number % 3]
        write(place / f"student-{number:02}", {"twice.py": code})
    return place


def scores(found: Any) -> dict[str, float | None]:
    """Give id to score, of results or of a results.json."""
    if isinstance(found, Path):
        tree = json.loads((found / "results.json").read_text("utf-8"))
        return {each["id"]: each["score"] for each in tree["submissions"]}
    return {each.id: each.score for each in found.submissions}


def attn(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def grade(school: Path, home: Path, out: Path) -> Result:
    return attn("grade", school, "--kit", home, "--out", out, "--no-html", "-e", "twice")


# -- processes that are killed ---------------------------------------------------------------


def sandboxes(monkeypatch: pytest.MonkeyPatch) -> list[Sandbox]:
    made: list[Sandbox] = []

    class Noted(Sandbox):
        def __init__(self, **more: Any) -> None:
            super().__init__(**more)
            made.append(self)

    monkeypatch.setattr(grader, "Sandbox", Noted)
    return made


@LINUX
@pytest.mark.parametrize("whom", ["zygote", "worker"])
def test_what_is_killed_from_outside_costs_nobody_a_point(
    whom: str,
    little: Kit,
    school: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = scores(batch.grade(little, plan(school, tmp_path / "calm", html=False, lanes=1)))
    made = sandboxes(monkeypatch)
    graded = batch.Grader._grade
    killed: list[str] = []
    moments = random.Random(whom)

    def one(self: batch.Grader, submission: Any) -> Any:
        if submission.id in killed:
            return graded(self, submission)
        killed.append(submission.id)
        zygote = made[0].zygote_pid

        def strike() -> None:
            time.sleep(moments.uniform(0.0, 0.12))
            targets = [str(zygote)]
            if whom == "worker":
                listed = Path(f"/proc/{zygote}/task/{zygote}/children")
                targets = listed.read_text("ascii").split()
            for pid in targets:
                with contextlib.suppress(ProcessLookupError):  # killed a turn before
                    os.kill(int(pid), signal.SIGKILL)

        thread = threading.Thread(target=strike)
        thread.start()
        try:
            return graded(self, submission)
        finally:
            thread.join()

    monkeypatch.setattr(batch.Grader, "_grade", one)
    found = batch.grade(little, plan(school, tmp_path / "rough", html=False, lanes=1))
    assert len(killed) == 12
    assert scores(found) == wanted


@LINUX
def test_a_grading_process_that_was_killed_goes_on_where_it_stopped(
    home: Path, school: Path, tmp_path: Path
) -> None:
    arguments = ["grade", school, "--kit", home, "--no-html", "-e", "twice"]
    assert grade(school, home, tmp_path / "calm").exit_code == 0
    wanted = scores(tmp_path / "calm")
    out = tmp_path / "rough"
    environment = {**os.environ, "ATTN_SECRET": "x"}
    command = [sys.executable, "-m", "autograder", *map(str, arguments), "--out", str(out)]
    for after in (0.9, 1.3, 1.7):
        running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        time.sleep(after)
        running.kill()
        running.wait()
        if (out / "results.json").exists():
            assert scores(out) == wanted
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert scores(out) == wanted


# -- places that cannot be written -----------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
def test_a_full_disk_writes_no_score_and_says_so(home: Path, school: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    script = (
        "import resource, sys\nresource.setrlimit(resource.RLIMIT_FSIZE, (900, 900))\n"
        "from autograder.cli import main\nmain(sys.argv[1:])"
    )
    arguments = ["grade", school, "--kit", home, "--out", out, "--no-html", "-e", "twice"]
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 3
    assert "File too large" in done.stderr and "no score was written" in done.stderr
    assert not (out / "results.json").exists()


def test_results_that_cannot_be_written_are_said(home: Path, school: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "results.json").mkdir(parents=True)
    (out / "results.json" / "x").touch()
    done = grade(school, home, out)
    assert done.exit_code == 3
    assert "results.json" in done.output
    assert [path.name for path in (out / "results.json").iterdir()] == ["x"]


def test_old_results_stay_whole_where_new_ones_fail(
    home: Path, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert grade(school, home, out).exit_code == 0
    before = (out / "results.json").read_bytes()
    (home / "autograder" / "graders" / "test_twice.py").write_text("1 / 0", "utf-8")
    assert grade(school, home, out).exit_code == 3
    assert (out / "results.json").read_bytes() == before


# -- graders that are broken -----------------------------------------------------------------

BREAK = {
    "raises on every answer": ("expect.numbers(", "1 / 0; expect.numbers("),
    "raises on a wrong answer": (
        "expect.close(student.twice(x), reference.twice(x))",
        "got = student.twice(x)\n    assert (got == reference.twice(x)).all(), 'unexpected'",
    ),
    "does not load": ("import numpy", "import nothing_of_that_name"),
    "needs a check that is gone": ('@needs("shape_stays")', '@needs("gone")'),
    "has no points": ("@points(2)\n", ""),
}  # fmt: skip


@pytest.mark.parametrize("how", BREAK)
def test_a_broken_grader_is_named_and_no_score_is_written(
    home: Path, school: Path, tmp_path: Path, how: str
) -> None:
    grader = home / "autograder" / "graders" / "test_twice.py"
    text = grader.read_text("utf-8")
    old, new = BREAK[how]
    assert old in text
    grader.write_text(text.replace(old, new, 1), "utf-8")
    done = grade(school, home, tmp_path / "out")
    assert done.exit_code == 3
    assert "twice" in done.output and "no score was written" in done.output
    assert not (tmp_path / "out" / "results.json").exists()


def test_a_check_without_an_outcome_stops_the_run(
    home: Path, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = judge.run_checks
    monkeypatch.setattr(judge, "run_checks", lambda *how: whole(*how)[:-1])
    done = grade(school, home, tmp_path / "out")
    assert done.exit_code == 3
    assert "twice" in done.output
    assert not (tmp_path / "out" / "results.json").exists()


def test_a_sandbox_that_cannot_start_is_named(
    home: Path, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    done = grade(school, home, tmp_path / "out")
    assert done.exit_code == 3
    assert "cannot start" in done.output
    assert not (tmp_path / "out" / "results.json").exists()


def test_isolation_that_is_too_weak_is_refused(
    home: Path, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Weak(Sandbox):
        def __init__(self, **more: Any) -> None:
            super().__init__(without=("seccomp", "landlock"), **more)

    monkeypatch.setattr(grader, "Sandbox", Weak)
    out = tmp_path / "out"
    done = attn("grade", school, "--kit", home, "--out", out, "--require-isolation")
    assert done.exit_code == 2
    assert "L2" in done.output
    assert not (out / "results.json").exists()


def test_a_hang_costs_its_own_function_only(home: Path, tmp_path: Path) -> None:
    school = tmp_path / "class"
    write(school / "a", {"twice.py": RIGHT})
    write(school / "b", {"twice.py": LOOP})
    write(school / "c", {"twice.py": RIGHT})
    assert grade(school, home, tmp_path / "out").exit_code == 0
    found = scores(tmp_path / "out")
    assert found["a"] == found["c"] == 4.0 and found["b"] == 0.0


HOSTILE = (
    "import os\nos._exit(0)",
    "raise SystemExit",
    "def twice(x):\n    import ctypes\n    ctypes.string_at(0)",
    "def twice(x):\n    print('y' * 10**6)\n    return object()",
    "import os\nfor n in range(64):\n    try: os.write(n, b'passed')\n    except OSError: pass",
    "import numpy\nnumpy.allclose = lambda *a: True\ndef twice(x): return numpy.zeros(1)",
)


def test_hostile_hand_ins_change_nobody_elses_score(
    home: Path, school: Path, tmp_path: Path
) -> None:
    assert grade(school, home, tmp_path / "alone").exit_code == 0
    wanted = scores(tmp_path / "alone")
    for number, code in enumerate(HOSTILE):
        write(school / f"student-{number:02}-x", {"twice.py": code})
    assert grade(school, home, tmp_path / "together").exit_code == 0
    found = scores(tmp_path / "together")
    assert {name: found[name] for name in wanted} == wanted
    assert all(found[f"student-{number:02}-x"] == 0.0 for number in range(len(HOSTILE)))
