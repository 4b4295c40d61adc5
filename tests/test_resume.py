"""A run that is stopped: what was done stays, the next run goes on, nothing runs on behind it."""

from __future__ import annotations

import dataclasses
import io
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
from click.testing import CliRunner

from autograder import batch, crew, results
from autograder.cli import main
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
        code = "def twice(x):\n    n = 0\n    while True: n += 1\n" if number == 0 else CODE[1]
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


def test_what_is_taken_over_tells_nothing_of_the_rate(
    little: Kit, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, said, clock = tmp_path / "out", io.StringIO(), [0.0]
    monkeypatch.setattr("autograder.pace.time.monotonic", lambda: clock[0])
    with pytest.raises(batch.Interrupted):
        stop = Stop(12)
        batch.grade(little, plan(school, out, exercises=("twice",), html=False, progress=stop))
    pace = Pace(said, every=0.0)

    def slow(result: Any, done: int, total: int) -> None:
        clock[0] += 2.0
        pace(result, done, total)

    what = plan(school, out, exercises=("twice",), html=False, progress=slow, known=pace.known)
    batch.grade(little, what)
    lines = said.getvalue().splitlines()
    assert lines[11].startswith("attn: 12 of 16 (12 from before)") and "second" not in lines[11]
    assert "13 of 16 (12 from before), 0.5 a second, 0:06 left" in lines[12]


# -- Ctrl-C at any moment, and what stood before ------------------------------------------------


def interrupted(command: list[str], seconds: float) -> tuple[int, str]:
    """Run a command in a session of its own, and send all of it Ctrl-C after a while."""
    running = subprocess.Popen(
        command,
        env={**os.environ, "ATTN_SECRET": "test"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    time.sleep(seconds)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    return running.returncode, said


@POSIX
@pytest.mark.parametrize("seconds", [0.4, 0.8, 1.2])
def test_a_run_that_is_stopped_while_it_starts_ends_with_130_and_no_traceback(
    seconds: float, home: Path, school: Path, tmp_path: Path
) -> None:
    what = ["grade", school, "--kit", home, "--out", tmp_path / "out", "-e", "twice", "--jobs", 2]
    code, said = interrupted([sys.executable, "-m", "autograder", *map(str, what)], seconds)
    assert code in (130, -signal.SIGINT), said  # the latter before Python itself has started
    assert "Traceback" not in said


@POSIX
def test_ctrl_c_waits_for_a_process_to_be_started_whichever_thread_hears_it() -> None:
    done, reached = threading.Event(), False
    other = threading.Thread(target=done.wait)
    other.start()
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), crew._unheard():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.2)
            reached = True
    finally:
        signal.signal(signal.SIGINT, usual)
        done.set()
        other.join()
    assert reached


class Stop:
    """Presses Ctrl-C when so many are graded."""

    def __init__(self, after: int) -> None:
        self._after = after

    def __call__(self, result: Any, done: int, total: int) -> None:
        if done == self._after:
            raise KeyboardInterrupt


def test_a_stopped_regrade_keeps_the_last_whole_run_to_compare_with(
    home: Path, little: Kit, school: Path, tmp_path: Path
) -> None:
    out, moved = tmp_path / "out", list[Any]()
    what = plan(school, out, exercises=("twice",), html=True, moved=moved.append)
    before = batch.grade(little, what)
    with pytest.raises(batch.Interrupted, match="without --force goes on"):
        batch.grade(little, dataclasses.replace(what, force=True, progress=Stop(5)))
    part = results.read(out / "results.json")
    assert (len(part.submissions), part.waiting) == (5, COUNT - 5)
    assert results.read(out / batch.PREVIOUS) == before
    assert f"before it came to {COUNT - 5} more" in (out / "index.html").read_text("utf-8")
    with pytest.raises(batch.Interrupted):  # and once more
        batch.grade(little, dataclasses.replace(what, force=True, progress=Stop(3)))
    assert results.read(out / batch.PREVIOUS) == before
    (school / "s15" / "twice.py").write_text(CODE[0])  # the last one: nobody came to it
    batch.grade(little, what)
    assert [[each.id for each in one] for one in moved] == [["s15"]]
    assert results.read(out / "results.json").waiting is None
    assert results.read(out / batch.PREVIOUS) == before


def test_a_first_run_that_was_stopped_makes_nobody_new(
    little: Kit, school: Path, tmp_path: Path
) -> None:
    out, moved = tmp_path / "out", list[Any]()
    what = plan(school, out, exercises=("twice",), html=False, moved=moved.append)
    with pytest.raises(batch.Interrupted):
        batch.grade(little, dataclasses.replace(what, progress=Stop(5)))
    batch.grade(little, what)
    assert moved == []


def test_a_run_that_is_stopped_before_its_first_result_leaves_what_was_there(
    little: Kit, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    what = plan(school, out, exercises=("twice",))
    before = batch.grade(little, what)
    page = (out / "index.html").read_bytes()

    def stop(self: batch.Grader, one: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(batch.Grader, "grade", stop)
    with pytest.raises(batch.Interrupted):
        batch.grade(little, dataclasses.replace(what, force=True, lanes=1))
    assert results.read(out / "results.json") == before
    assert (out / "index.html").read_bytes() == page


def test_results_of_a_stopped_run_say_so_where_they_are_used(
    little: Kit, school: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises(batch.Interrupted):
        batch.grade(little, plan(school, out, exercises=("twice",), html=False, progress=Stop(5)))
    for command in (["report", out], ["export", "csv", out, "--out", tmp_path / "x.csv"]):
        done = CliRunner().invoke(main, [*map(str, command), "--lang", "en"])
        assert f"stopped before it came to {COUNT - 5} more" in done.stderr, done.output


# -- what damage may not do -----------------------------------------------------------------------


def test_a_journal_line_that_is_damaged_and_still_reads_is_graded_again(
    little: Kit, school: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    what = plan(school, out, exercises=("twice",), html=False)
    first = batch.grade(little, what)
    journal = out / batch.JOURNAL
    [check, *_] = first.submissions[0].exercises[0].checks
    text = journal.read_text("utf-8")
    journal.write_text(text.replace(f'"check": "{check.check}"', f'"check": "{check.check[:-1]}x"'))
    assert journal.read_text("utf-8") != text
    second = batch.grade(little, what)
    strip = [{**each.to_json(), "seconds": 0} for each in first.submissions]
    assert strip == [{**each.to_json(), "seconds": 0} for each in second.submissions]


def test_a_file_that_is_only_called_otherwise_is_told_by_its_new_name(
    little: Kit, tmp_path: Path
) -> None:
    school, out = tmp_path / "class", tmp_path / "out"
    write(school / "s1", {"twice (1).py": CODE[1]})
    write(school / "s2", {"twice.py": CODE[1]})
    what = plan(school, out, exercises=("twice",), html=False)
    assert "twice (1).py" in (batch.grade(little, what).submissions[0].notice or "")
    (school / "s1" / "twice (1).py").rename(school / "s1" / "twice.py")
    again = batch.grade(little, what).submissions[0]
    assert again.files == ("s1/twice.py",) and again.notice is None


def test_results_that_cannot_be_read_are_kept_and_told(
    little: Kit, school: Path, tmp_path: Path
) -> None:
    out, told = tmp_path / "out", list[str]()
    what = plan(school, out, exercises=("twice",), html=False, tell=told.append)
    first = batch.grade(little, what)
    edited = (out / "results.json").read_bytes().replace(b'"score": 4.0', b'"score": 400.0', 1)
    (out / "results.json").write_bytes(edited)
    assert batch.grade(little, what) == first
    assert (out / batch.DAMAGED).read_bytes() == edited
    assert [each for each in told if "could not be read" in each and batch.DAMAGED in each]


def test_an_empty_secret_is_no_secret(little: Kit, school: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / batch.SECRET).touch()
    batch.grade(little, dataclasses.replace(plan(school, out, html=False), secret=None))
    made = out / batch.SECRET
    assert len(made.read_bytes()) == 64
    assert os.name == "nt" or made.stat().st_mode & 0o777 == 0o600
    assert not list(out.glob(f"{batch.SECRET}.*"))
