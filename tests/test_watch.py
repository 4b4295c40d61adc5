"""`attn watch`: what is saved is checked and shown, whatever was saved."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from autograder import progress, watching
from autograder.desk import open_desk
from autograder.picture import Look
from autograder.sandbox import Sandbox
from autograder.watch import Watch
from autograder.watching import SAVED, Events, stamp
from tests.desks import OFF, RIGHT, RIGHT_TOO, desk_folder, in_notebook

FOR_EVER = "def twice(x):\n    while True:\n        pass\n"
COUNTING = "def twice(x):\n    n = 0\n    while True: n += 1\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    opened = Sandbox()
    yield opened
    opened.close()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ATTN_LANG", "en")
    return desk_folder(tmp_path / "desk")


@pytest.fixture
def screens() -> list[str]:
    return []


@pytest.fixture
def watch(folder: Path, sandbox: Sandbox, screens: list[str]) -> Watch:
    """A watch that has shown its first screen, with a keyboard."""
    started = Watch(
        open_desk(folder), Look(), True, lambda lines: screens.append("\n".join(lines)), sandbox
    )
    started.start()
    return started


def _settle(watch: Watch) -> None:
    while watch._stale:
        watch.catch_up()


def test_the_first_exercise_that_does_not_pass_is_shown_at_the_start(
    folder: Path, sandbox: Sandbox
) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    seen: list[list[str]] = []
    Watch(open_desk(folder), Look(), False, seen.append, sandbox).start()
    assert seen[0][0].startswith(" quadruple   ●○○○○  ~5 min")
    assert seen[0][0].endswith("1 of 2  [######>------]")


def test_a_saved_file_is_shown_with_its_verdict(
    watch: Watch, folder: Path, screens: list[str]
) -> None:
    (folder / "twice.py").write_text(OFF, "utf-8")
    watch.saved()
    assert "✗ not yet" in screens[-1]
    assert "yours" in screens[-1]
    assert "target" in screens[-1]
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    watch.saved()
    assert "✓ correct" in screens[-1]
    assert "All self-checks of twice pass. When graded, there are 1 more." in screens[-1]
    assert "Next: quadruple.py." in screens[-1]


def test_the_exercise_that_was_saved_comes_to_the_front(
    watch: Watch, folder: Path, screens: list[str]
) -> None:
    (folder / "quadruple.py").write_text(RIGHT_TOO, "utf-8")
    watch.saved()
    assert screens[-1].startswith(" quadruple")


def test_a_cell_of_the_notebook_counts_as_a_save(
    watch: Watch, folder: Path, screens: list[str]
) -> None:
    in_notebook(folder, "Quadruple", RIGHT_TOO.replace("from twice import twice", ""))
    watch.saved()
    assert screens[-1].startswith(" quadruple")
    assert "not yet" in screens[-1]  # twice itself is not there


def test_later_exercises_are_looked_at_when_an_earlier_one_was_saved(
    watch: Watch, folder: Path, screens: list[str]
) -> None:
    (folder / "quadruple.py").write_text(RIGHT_TOO, "utf-8")
    watch.saved()
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    watch.saved()
    _settle(watch)
    assert "2 of 2" in screens[-1]
    assert screens[-1].count("The public checks are done; the graded set has 1 more.") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def twice(x:\n", "not yet"),
        ("raise SystemExit\n" + RIGHT, "not yet"),
        ("", "not yet|not started"),
        ("\0", "not yet|not started"),
        (FOR_EVER, "Stopped: the `while` loop in line 2"),
        (COUNTING, "Stopped: a call of `twice` ran longer"),
        ("while True: pass\n" + RIGHT, "not yet"),
        ("import os\nos._exit(3)\n" + RIGHT, "not yet"),
    ],
    ids=["syntax", "exit", "empty", "nul", "endless call", "long call", "endless import", "gone"],
)
def test_watching_goes_on_when_what_was_saved_is_odd(
    watch: Watch, folder: Path, screens: list[str], text: str, said: str
) -> None:
    (folder / "twice.py").write_text(text, "utf-8")
    watch.saved()
    assert any(each in screens[-1] for each in said.split("|")), screens[-1]
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    watch.saved()
    assert "✓ correct" in screens[-1]


def test_watching_goes_on_when_files_are_deleted(
    watch: Watch, folder: Path, screens: list[str]
) -> None:
    for name in ("twice.py", "attention.ipynb"):
        (folder / name).unlink()
    watch.saved()
    assert "not started" in screens[-1]


def test_watching_goes_on_when_the_sandbox_has_ended(folder: Path, screens: list[str]) -> None:
    own = Sandbox()
    watch = Watch(open_desk(folder), Look(), True, lambda _: screens.append("."), own)
    watch.start()
    own.close()
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    try:
        watch.saved()
    finally:
        watch.sandbox.close()
    assert watch._found["twice"].passed


def test_nothing_is_shown_when_nothing_was_changed(watch: Watch, screens: list[str]) -> None:
    before = len(screens)
    watch.saved()
    assert len(screens) == before


# Keys


def test_h_says_so_when_the_exercise_has_no_hint(watch: Watch, screens: list[str]) -> None:
    watch.pressed("h")
    assert "There is no hint for twice yet" in screens[-1]
    assert "h hint (0 of 3)" in screens[-1]


def test_h_gives_one_hint_more_each_time_and_stays_after_passing(
    watch: Watch, folder: Path, screens: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.messages.hint", lambda *_: "What comes out for 2?")
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    watch.saved()
    told = []
    for _ in range(4):
        watch.pressed("h")
        told.append(screens[-1])
    assert [f"Hint {level} of 3" in told[level - 1] for level in (1, 2, 3)] == [True] * 3
    assert "Hint 3 of 3" in told[3]
    assert "h hint (3 of 3)" in told[2]


def test_l_lists_and_p_draws(watch: Watch, screens: list[str]) -> None:
    watch.pressed("l")
    assert "quadruple" in screens[-1]
    watch.pressed("p")
    assert "twice" in screens[-1]


def test_x_resets_only_when_y_follows(watch: Watch, folder: Path, screens: list[str]) -> None:
    (folder / "twice.py").write_text(OFF, "utf-8")
    watch.saved()
    watch.pressed("x")
    assert "Put twice back to the start?" in screens[-1]
    watch.pressed("n")
    assert (folder / "twice.py").read_text("utf-8") == OFF
    watch.pressed("x")
    watch.pressed("y")
    assert "raise NotImplementedError()" in (folder / "twice.py").read_text("utf-8")
    assert "Yours is in backups/twice_" in screens[-1]


def test_x_says_so_when_the_start_is_not_known(
    watch: Watch, folder: Path, screens: list[str]
) -> None:
    (folder / "release.json").unlink()
    watch.pressed("x")
    watch.pressed("y")
    assert "release.json is missing or was changed" in screens[-1]


def test_q_ends_the_watch(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    class Keys:
        waiting = False
        left: ClassVar = ["l", SAVED, None, "q"]

        def next(self, wait: float) -> str | None:
            return self.left.pop(0)

    watch.run(Keys())  # type: ignore[arg-type]
    assert Keys.left == []


# Noticing


def _save_plainly(path: Path) -> None:
    path.write_text(RIGHT, "utf-8")


def _save_by_renaming(path: Path) -> None:
    beside = path.with_name("4913")
    beside.write_text(RIGHT, "utf-8")
    beside.replace(path)


def _save_same_size_and_time(path: Path) -> None:
    before = path.stat()
    text = path.read_bytes()
    beside = path.with_name(".twice.py.swp")
    beside.write_bytes(text.replace(b"Give", b"Take"))
    os.utime(beside, ns=(before.st_atime_ns, before.st_mtime_ns))
    beside.replace(path)


@pytest.mark.parametrize(
    "save", [_save_plainly, _save_by_renaming, _save_same_size_and_time, Path.unlink]
)
@pytest.mark.parametrize("looking", [True, False], ids=["looking", "told"])
def test_a_save_is_noticed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, save: Callable[[Path], None], looking: bool
) -> None:
    if looking:
        monkeypatch.setattr(watching, "_watchfiles", lambda: None)
    else:
        pytest.importorskip("watchfiles", reason="the [watch] extra")
    events = Events(folder, keyboard=False)
    try:
        save(folder / "twice.py")
        assert events.next(5.0) == SAVED
    finally:
        events.end()


def test_the_stamp_does_not_care_for_other_files(folder: Path) -> None:
    before = stamp(folder)
    progress.save(folder, progress.Progress())
    assert stamp(folder) == before
    assert stamp(folder / "gone") == ()


def test_keys_end_when_the_terminal_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.write(write, b"H\x03")
    os.close(write)
    with os.fdopen(read) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert list(watching.keys(threading.Event())) == ["h", "q"]


# The process


def _heeding() -> None:
    """Heed what whoever started the tests may ignore, as `nohup` and a job in the background do."""
    for name in ("SIGHUP", "SIGINT", "SIGTERM"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)


def _started(folder: Path) -> subprocess.Popen[str]:
    """Start `attn watch` where there is no terminal, and wait for its first screen."""
    words = [sys.executable, "-u", "-m", "autograder", "watch", "--dir", str(folder)]
    root = str(Path(__file__).resolve().parent.parent)
    watching = subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": root, "ATTN_LANG": "en"},
        preexec_fn=_heeding if os.name == "posix" else None,
    )
    assert watching.stdout is not None
    for line in watching.stdout:
        if "twice" in line and "Watching" not in line:
            break
    return watching


def _ended(watching: subprocess.Popen[str]) -> tuple[int, str]:
    try:
        said, _ = watching.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        watching.kill()
        watching.communicate()
        pytest.fail("it goes on")
    return watching.returncode, said


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_the_watch_ends_at_once_when_its_process_is_told_to(folder: Path, name: str) -> None:
    watching = _started(folder)
    asked = time.monotonic()
    watching.send_signal(getattr(signal, name))
    code, said = _ended(watching)
    assert (code, said.splitlines()[-1]) == (0, "Stopped watching.")
    assert time.monotonic() - asked < 10


def test_the_watch_goes_on_without_keys_until_its_folder_is_gone(folder: Path) -> None:
    watching = _started(folder)
    time.sleep(1.5)
    assert watching.poll() is None
    shutil.rmtree(folder)
    code, said = _ended(watching)
    assert code == 0
    assert f"{folder} is no longer there." in said
