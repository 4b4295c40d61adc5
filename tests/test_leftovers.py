"""What a killed run leaves is cleared away by the next one, and what is in use stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from autograder.leftovers import LOCK, Scratch, hold, sweep
from autograder.record import clear, write_whole

if os.name == "posix":
    import fcntl

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs locks of a POSIX system")
MAKES = "from autograder.leftovers import Scratch\nprint(Scratch('x').path, flush=True)\ninput()\n"


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def aged(*folders: Path) -> None:
    """Let the locks of folders be a minute old."""
    for each in folders:
        os.utime(each / LOCK, (time.time() - 60,) * 2)


@POSIX
def test_a_folder_of_a_killed_process_is_removed_and_that_of_a_living_one_stays(
    scratch: Path,
) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", MAKES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    dead, living = (Path(str(each.stdout and each.stdout.readline()).strip()) for each in started)
    started[0].send_signal(signal.SIGKILL)
    started[0].wait()
    (dead / "fonts.json").touch()
    aged(dead, living)
    assert dead.is_dir() and living.is_dir()
    own = Scratch("x")
    assert sorted(scratch.iterdir()) == sorted([living, own.path])
    started[1].communicate("\n")
    for each in started:
        for stream in (each.stdin, each.stdout):
            if stream is not None:
                stream.close()
    own.close()
    own.close()
    assert not own.path.exists()


@POSIX
@pytest.mark.parametrize("age", [0, 60])
def test_a_folder_cleared_away_between_making_and_locking_is_made_anew(
    scratch: Path, monkeypatch: pytest.MonkeyPatch, age: int
) -> None:
    """Another run starts just when this one has opened its lock and does not hold it yet."""
    flock = fcntl.flock
    first: list[Path] = []
    others: list[Scratch] = []

    def late(descriptor: int, how: int) -> None:
        if not first:
            first.extend(scratch.iterdir())
            os.utime(first[0] / LOCK, (time.time() - age,) * 2)
            others.append(Scratch("x"))
        flock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", late)
    own = Scratch("x")
    other = others[0]
    assert ([own.path] == first) == (age == 0)
    assert (own.path / LOCK).is_file() and other.path.is_dir() and own.path != other.path
    aged(own.path, other.path)
    Scratch("x").close()
    assert sorted(scratch.iterdir()) == sorted([own.path, other.path])
    own.close()
    other.close()


@POSIX
def test_a_folder_that_is_gone_before_it_has_a_lock_is_made_anew(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tempfile.mkdtemp
    folders: list[str] = []

    def gone(prefix: str) -> str:
        folders.append(made(prefix=prefix))
        if len(folders) == 1:
            Path(folders[0]).rmdir()
        return folders[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", gone)
    own = Scratch("x")
    assert own.path == Path(folders[1]) and own.path.is_dir()
    own.close()


def test_a_folder_without_a_lock_stays_for_a_day(scratch: Path) -> None:
    young, old, other = (scratch / name for name in ("attn-x-1", "attn-x-2", "attn-y-3"))
    for each in (young, old, other):
        each.mkdir()
        (each / "part").touch()
    before = time.time() - 90_000
    for each in (old, other):
        os.utime(each, (before, before))
    Scratch("x").close()
    assert sorted(scratch.iterdir()) == [young, other]


@POSIX
def test_a_link_of_that_name_is_not_followed(scratch: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "in-use").touch()
    (scratch / "attn-x-link").symlink_to(kept)
    Scratch("x").close()
    assert (kept / "in-use").is_file()


@POSIX
def test_a_part_of_a_killed_run_is_removed_and_one_being_written_stays(tmp_path: Path) -> None:
    left, used, other = (tmp_path / n for n in (".results.json.a.new", ".b.json.c.new", "d.new"))
    for each in (left, used, other):
        each.touch()
    young = tmp_path / ".e.json.f.new"
    before = time.time() - 60
    with used.open("wb") as file:
        hold(file.fileno())
        for each in (left, used, other):
            os.utime(each, (before, before))
        young.touch()
        clear(tmp_path)
    young.unlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".b.json.c.new", "d.new"]


def test_sweeping_a_folder_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    sweep(tmp_path / "none", "*")


def test_a_file_is_written_whole_while_it_is_held(tmp_path: Path) -> None:
    write_whole(tmp_path / "x", b"1")
    assert (tmp_path / "x").read_bytes() == b"1"
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
