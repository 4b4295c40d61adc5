"""A run that is stopped: what was done stays, the next run goes on, nothing runs on behind it."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from classroom import plan, write

from autograder import batch
from autograder.exercise import Kit
from autograder.pace import Pace
from autograder.results import not_graded

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
CODE = (
    "import time\ntime.sleep(0.2)\ndef twice(x):\n    return x * 2\n",
    "def twice(x):\n    return x\n",
    "def twice(x):\n    raise KeyError(x)\n",
    "def twice(x:\n",
)
COUNT = 16
KILLS = 3


@pytest.fixture
def school(tmp_path: Path) -> Path:
    for number in range(COUNT):
        write(tmp_path / "class" / f"s{number:02}", {"twice.py": CODE[number % len(CODE)]})
    return tmp_path / "class"


def told(out: Path) -> dict[str, Any]:
    """Give what results.json says, seconds aside."""
    tree: dict[str, Any] = json.loads((out / "results.json").read_text("utf-8"))
    for each in tree["submissions"]:
        del each["seconds"]
    return tree


def start(home: Path, school: Path, out: Path) -> subprocess.Popen[str]:
    options = ["--kit", home, "--out", out, "-e", "twice", "--no-html", "--jobs", "2"]
    return subprocess.Popen(
        [sys.executable, "-m", "autograder", "grade", str(school), *map(str, options)],
        env={**os.environ, "ATTN_SECRET": "test", "ATTN_MARK": str(out)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def written(out: Path) -> int:
    """Give how many submissions the journal holds."""
    path = out / batch.JOURNAL
    return path.read_bytes().count(b"}\n") if path.exists() else 0


def wait_until(condition: Any, seconds: float = 60.0) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.01)
    return False


def left_behind(out: Path) -> list[str]:
    """Give the processes that a run started and left: they carry its mark."""
    mark = f"ATTN_MARK={out}".encode()
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (place / "environ").read_bytes():
                found.append((place / "cmdline").read_text())
        except OSError:
            continue
    return found


@POSIX
def test_a_run_killed_at_random_moments_ends_in_the_same_results(
    home: Path, little: Kit, school: Path, tmp_path: Path
) -> None:
    batch.grade(little, plan(school, tmp_path / "calm", exercises=("twice",), html=False))
    out, chance = tmp_path / "rough", random.Random(8)
    kept = 0
    for _ in range(KILLS):
        running = start(home, school, out)
        enough = min(kept + chance.randrange(1, 4), COUNT)
        assert wait_until(lambda: written(out) >= enough or running.poll() is not None)  # noqa: B023
        running.kill()
        running.communicate()
        assert written(out) >= kept
        kept = written(out)
    running = start(home, school, out)
    _, said = running.communicate()
    assert running.returncode == 0, said
    assert told(out)["submissions"] == told(tmp_path / "calm")["submissions"]


@POSIX
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_a_stopped_run_leaves_its_results_and_no_process(
    home: Path, school: Path, tmp_path: Path, how: signal.Signals
) -> None:
    out = tmp_path / "out"
    running = start(home, school, out)
    assert wait_until(lambda: written(out) >= 2)
    running.send_signal(how)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    done = told(out)["submissions"]
    assert 2 <= len(done) < COUNT
    assert f"{len(done)} of {COUNT}" in said and "Traceback" not in said
    if sys.platform == "linux":
        assert wait_until(lambda: not left_behind(out), 5.0), left_behind(out)


def test_a_second_run_takes_a_torn_line_for_none(
    little: Kit, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    what = plan(school, out, exercises=("twice",), html=False)
    first = batch.grade(little, what)
    journal = out / batch.JOURNAL
    lines = journal.read_bytes().splitlines(keepends=True)
    damaged = lines[3][:90] + b"#" + lines[3][91:]
    journal.write_bytes(b"".join([*lines[:3], damaged, *lines[4:-1], lines[-1][:100]]))
    graded: list[str] = []
    whole = batch.Grader.grade
    monkeypatch.setattr(
        batch.Grader, "grade", lambda self, one: graded.append(one.id) or whole(self, one)
    )
    second = batch.grade(little, what)
    assert len(graded) == 2
    strip = [{**each.to_json(), "seconds": 0} for each in first.submissions]
    assert strip == [{**each.to_json(), "seconds": 0} for each in second.submissions]


def test_force_grades_all_again(
    little: Kit, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    batch.grade(little, plan(school, out, exercises=("twice",), html=False))
    graded: list[str] = []
    whole = batch.Grader.grade
    monkeypatch.setattr(
        batch.Grader, "grade", lambda self, one: graded.append(one.id) or whole(self, one)
    )
    batch.grade(little, plan(school, out, exercises=("twice",), html=False, force=True))
    assert len(graded) == COUNT and written(out) == COUNT


def test_the_journal_forgets_students_of_another_class(
    little: Kit, school: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    batch.grade(little, plan(school, out, exercises=("twice",), html=False))
    one = write(tmp_path / "other", {"twice.py": CODE[1]})
    batch.grade(little, plan(one, out, exercises=("twice",), html=False))
    assert written(out) == 1


def test_equal_exercises_are_one_object(little: Kit, school: Path, tmp_path: Path) -> None:
    found = batch.grade(little, plan(school, tmp_path / "out", exercises=("twice",), html=False))
    assert found.submissions[0].exercises[0] is found.submissions[4].exercises[0]


def test_a_hang_keeps_nobody_waiting(little: Kit, tmp_path: Path) -> None:
    for number in range(12):
        code = "def twice(x):\n    while True: pass\n" if number == 0 else CODE[1]
        write(tmp_path / "class" / f"s{number:02}", {"twice.py": code})
    order: list[str] = []
    found = batch.grade(
        little,
        plan(
            tmp_path / "class",
            tmp_path / "out",
            exercises=("twice",),
            html=False,
            progress=lambda one, done, total: order.append(one.id),
        ),
    )
    assert order.index("s00") >= 6
    assert [each.id for each in found.submissions] == sorted(order)


def test_the_line_about_a_run_names_who_is_in_trouble() -> None:
    said = io.StringIO()
    pace = Pace(said, every=0.0)
    pace(not_graded("s07", (), "unreadable", 4.0), 1, 4)
    assert said.getvalue().startswith("attn: 1 of 4, ")
    assert "left; trouble: s07 (unreadable)" in said.getvalue()
