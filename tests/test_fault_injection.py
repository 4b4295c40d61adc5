"""Faults at any moment: a disk that fills, processes that are killed, a system that gives no more.

Whatever stands in results.json afterwards is right and whole, the fault has a name, and the next
run ends in what an undisturbed one gives.
"""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
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

from autograder import batch, journal, launch, record
from autograder.cli import main
from autograder.crew import Crew
from autograder.exercise import Kit, given_sources, read_kit
from autograder.grade import KitFault
from autograder.results import read

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
CODES = (
    "def twice(x):\n    return x * 2\n",
    "import time\ntime.sleep(0.03)\ndef twice(x):\n    return x\n",
    "def twice(x):\n    raise KeyError(x)\n",
)
COUNT = 9


@pytest.fixture
def school(tmp_path: Path) -> Path:
    for number in range(COUNT):
        write(tmp_path / "class" / f"s{number}", {"twice.py": CODES[number % len(CODES)]})
    return tmp_path / "class"


@pytest.fixture
def wanted(little: Kit, school: Path, tmp_path: Path) -> dict[str, float | None]:
    return scores(run(little, school, tmp_path / "calm"))


def scores(found: Any) -> dict[str, float | None]:
    return {each.id: each.score for each in found.submissions}


def run(kit: Kit, school: Path, out: Path, **more: Any) -> Any:
    return batch.grade(kit, plan(school, out, exercises=("twice",), **more))


def stands(out: Path, wanted: dict[str, float | None]) -> None:
    """Hold what is written to this: no results, or the right ones, whole."""
    path = out / "results.json"
    if path.exists():
        assert scores(read(path)) == wanted


# -- a disk that fills -----------------------------------------------------------------------


class Full:
    """Lets so many writes through, then says that the disk is full."""

    def __init__(self, after: int) -> None:
        self.left, self.hit = after, False

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            self.hit = True
            raise OSError(errno.ENOSPC, "No space left on device")


def test_a_disk_that_fills_at_any_write_leaves_nothing_false(
    little: Kit,
    school: Path,
    tmp_path: Path,
    wanted: dict[str, float | None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, add = record.write_whole, journal.Journal.add
    for after in range(0, 200, 2):
        disk, out = Full(after), tmp_path / f"out-{after}"

        def full(*what: Any, disk: Full = disk, **more: Any) -> None:
            disk.spend()
            whole(*what, **more)

        def kept(self: Any, *what: Any, disk: Full = disk) -> Any:
            disk.spend()
            return add(self, *what)

        with monkeypatch.context() as patch:
            for module in (batch, "autograder.results.record", "autograder.export.html"):
                where = module if isinstance(module, str) else module.__name__
                patch.setattr(f"{where}.write_whole", full)
            patch.setattr(journal.Journal, "add", kept)
            try:
                run(little, school, out, lanes=1)
            except batch.PagesFault as error:
                assert "No space left" in str(error)
                assert (out / "results.json").exists()
            except OSError as error:
                assert error.errno == errno.ENOSPC
                assert not (out / "results.json").exists()
        stands(out, wanted)
        if not disk.hit:
            break
        if after % 8 == 0:
            assert scores(run(little, school, out, lanes=1)) == wanted
        shutil.rmtree(out)
    assert 2 * COUNT < after < 100  # each hand-in and its page, then results and class pages


SCRIPT = """
mount -t tmpfs -o size=1m tmpfs "$OUT" || exit 99
head -c %s /dev/zero >"$OUT/.kept"
cat /dev/zero >"$OUT/.filled" 2>/dev/null
rm "$OUT/.kept"
"$PY" -m autograder grade "$CLASS" --kit "$KIT" --out "$OUT" -e twice 2>"$LOG"
echo "code $?" >>"$LOG"
[ -e "$OUT/results.json" ] && cp "$OUT/results.json" "$LOG.json"
rm "$OUT/.filled"
"$PY" -m autograder grade "$CLASS" --kit "$KIT" --out "$OUT" -e twice >/dev/null 2>&1
echo "again $?" >>"$LOG"
cp "$OUT/results.json" "$LOG.again.json"
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare")
@pytest.mark.parametrize("size", ["8K", "40K", "60K"])
def test_a_disk_that_is_really_full_is_named_and_the_next_run_ends_right(
    size: str, home: Path, school: Path, tmp_path: Path, wanted: dict[str, float | None]
) -> None:
    out, log = tmp_path / "out", tmp_path / "log"
    out.mkdir()
    places = {"OUT": out, "LOG": log, "CLASS": school, "KIT": home, "PY": sys.executable}
    environment = {**os.environ, **{name: str(path) for name, path in places.items()}}
    own = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    command = [*own, "sh", "-c", SCRIPT % size]
    done = subprocess.run(
        command, env={**environment, "ATTN_SECRET": "test"}, capture_output=True, text=True
    )
    if done.returncode == 99 or not log.exists():
        pytest.skip("needs the right to mount a file system of its own")
    said = log.read_text("utf-8")
    assert "code 3" in said and "No space left" in said, said
    assert "fault" not in said or "its pages are not" in said
    assert str(out) in said, "which place is full"
    first = log.with_name("log.json")
    assert first.exists() is ("no score was written" not in said)
    assert not first.exists() or scores(read(first)) == wanted
    assert "again 0" in said
    assert scores(read(log.with_name("log.again.json"))) == wanted


@pytest.mark.parametrize("what", ["out is a file", "results are a folder", "journal is a folder"])
def test_a_place_that_cannot_be_written_is_named(
    what: str, home: Path, school: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    if what == "out is a file":
        out.touch()
    else:
        name = {"results are a folder": "results.json", "journal is a folder": batch.JOURNAL}[what]
        (out / name / "x").mkdir(parents=True)
    arguments = ["grade", school, "--kit", home, "--out", out, "-e", "twice", "--no-html"]
    done = CliRunner().invoke(main, [str(each) for each in arguments])
    assert done.exit_code in (2, 3)
    assert str(out) in done.output.replace("\n", "")
    assert not (out / "results.json").is_file()


# -- processes that are killed ---------------------------------------------------------------


@POSIX
@pytest.mark.parametrize("seed", range(4))
def test_a_grading_process_that_is_killed_at_any_moment_costs_nobody_a_point(
    seed: int,
    little: Kit,
    school: Path,
    tmp_path: Path,
    wanted: dict[str, float | None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(seed)
    started: list[int] = []
    start = Crew._start

    def noted(self: Crew) -> Any:
        hand = start(self)
        started.append(hand.process.pid or 0)
        return hand

    monkeypatch.setattr(Crew, "_start", noted)
    ready = Crew.run

    def struck(self: Crew, work: Any) -> Any:
        def strike() -> None:
            time.sleep(chance.uniform(0.0, 0.15))
            os.kill(chance.choice(started[:2]), signal.SIGKILL)

        thread = threading.Thread(target=strike)
        thread.start()
        yield from ready(self, work)
        thread.join()

    monkeypatch.setattr(Crew, "run", struck)
    found = run(little, school, tmp_path / "rough", html=False, jobs=2)
    assert scores(found) == wanted


@POSIX
def test_a_hand_in_in_which_a_grading_process_ends_twice_is_named(
    little: Kit, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = Crew._send

    def deadly(self: Crew, hand: Any, place: int, submission: Any) -> None:
        send(self, hand, place, submission)
        if submission.id == "s4":
            os.kill(hand.process.pid, signal.SIGKILL)

    monkeypatch.setattr(Crew, "_send", deadly)
    with pytest.raises(KitFault, match="ended by itself, 2 times with s"):
        run(little, school, tmp_path / "out", html=False, jobs=2)
    assert not (tmp_path / "out" / "results.json").exists()


@POSIX
def test_a_grading_process_that_ends_before_it_is_told_ends_the_run(
    little: Kit, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Any] = []
    start = Crew._start

    def deadly(self: Crew) -> Any:
        hand = start(self)
        started.append(hand.process)
        if len(started) == 2:
            os.kill(hand.process.pid, signal.SIGKILL)
            hand.process.join()
        return hand

    monkeypatch.setattr(Crew, "_start", deadly)
    with pytest.raises(KitFault, match="ended before it began"):
        run(little, school, tmp_path / "out", html=False, jobs=3)
    assert [each.is_alive() for each in started] == [False] * 3


# -- a system that gives no more processes ---------------------------------------------------


def test_a_worker_that_cannot_be_started_once_costs_nobody_a_point(
    little: Kit,
    school: Path,
    tmp_path: Path,
    wanted: dict[str, float | None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start, count = launch.Zygote.start, [0]

    def refused(self: launch.Zygote) -> Any:
        count[0] += 1
        if count[0] % 7 == 3:
            raise launch.SandboxFault("cannot start a worker: Resource temporarily unavailable")
        return start(self)

    monkeypatch.setenv("ATTN_FORK", "1")
    monkeypatch.setattr(launch.Zygote, "start", refused)
    found = run(little, school, tmp_path / "rough", html=False, lanes=1)
    assert count[0] > 7
    assert scores(found) == wanted


def test_a_system_that_starts_nothing_any_more_is_named_and_the_next_run_goes_on(
    little: Kit,
    school: Path,
    tmp_path: Path,
    wanted: dict[str, float | None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start, count, out = launch.Zygote.start, [0], tmp_path / "out"

    def refused(self: launch.Zygote) -> Any:
        count[0] += 1
        if count[0] > 6:
            raise launch.SandboxFault("cannot start a worker: Resource temporarily unavailable")
        return start(self)

    monkeypatch.setenv("ATTN_FORK", "1")
    with monkeypatch.context() as patch:
        patch.setattr(launch.Zygote, "start", refused)
        with pytest.raises(launch.SandboxFault, match="temporarily unavailable"):
            run(little, school, out, html=False, lanes=1)
    assert not (out / "results.json").exists()
    assert 0 < (out / batch.JOURNAL).read_bytes().count(b"}\n") < COUNT
    assert scores(run(little, school, out, html=False, lanes=1)) == wanted


# -- checks that go ---------------------------------------------------------------------------


def test_a_check_that_is_taken_out_of_a_grader_leaves_no_old_mark(
    home: Path, school: Path, tmp_path: Path, wanted: dict[str, float | None]
) -> None:
    out = tmp_path / "calm"
    grader = home / "autograder" / "graders" / "test_twice.py"
    text = grader.read_text("utf-8")
    cut = text[: text.index("@points(1)\ndef test_integers")]
    grader.write_text(cut, "utf-8")
    found = run(read_kit(home), school, out)
    assert {each.max_score for each in found.submissions} == {3.0}
    names = {check.check for each in found.submissions for check in each.exercises[0].checks}
    assert names == {"shape_stays", "values"}
    tree = json.loads((out / "results.json").read_text("utf-8"))
    assert (
        tree["digests"]["graders"]
        != json.loads((out / batch.PREVIOUS).read_text("utf-8"))["digests"]["graders"]
    )


ENDS_AT_ITS_START = """
import sys
from pathlib import Path

from autograder import batch
from autograder.exercise import find_kit

# A grading process reads this file too, and ends here before it asks what it is to do.
folder, out = map(Path, sys.argv[1:])
batch.grade(find_kit(), batch.Plan((folder,), out, exercises=("softmax",), jobs=2, html=False))
"""


def test_grading_processes_that_end_at_their_start_are_a_fault_and_no_wait(
    kit: Kit, tmp_path: Path
) -> None:
    folder, script = tmp_path / "class", tmp_path / "ends.py"
    for name in ("student-01", "student-02"):
        write(folder / name, {"softmax.py": given_sources(kit)["softmax"]})
    script.write_text(ENDS_AT_ITS_START, "utf-8")
    ended = subprocess.run(
        [sys.executable, str(script), str(folder), str(tmp_path / "out")],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(Path(batch.__file__).parents[1])},
    )
    assert ended.returncode != 0
    assert ended.stderr.rstrip().endswith("KitFault: a grading process ended before it began")
    assert not (tmp_path / "out" / "results.json").exists()
