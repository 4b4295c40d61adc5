"""Too little memory ends in a sentence: no traceback, no lost result, no wrong score."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from classroom import write
from click.testing import CliRunner
from small_kit import small_kit

from autograder import batch, cli, room
from autograder.boot import Limits

resource = pytest.importorskip("resource", reason="no such limits on this system")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits that the system keeps")

ROOT = Path(__file__).resolve().parent.parent
MB = 2**20


def limited(kind: str, size: int, *words: object) -> subprocess.CompletedProcess[str]:
    """Run the command with so many bytes of address space, or of data."""
    script = (
        "import os, resource, sys\n"
        f"resource.setrlimit(resource.{kind}, ({size}, {size}))\n"
        "os.execv(sys.executable, [sys.executable, '-m', 'autograder', *sys.argv[1:]])\n"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ATTN_")}
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, words)],
        cwd=ROOT,
        env={**kept, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("kind", "size", "told"),
    [
        ("RLIMIT_AS", 60 * MB, "61440 kB of address space (`ulimit -v`), and every command takes"),
        ("RLIMIT_AS", 200 * MB, "204800 kB of address space (`ulimit -v`)"),
        ("RLIMIT_AS", 400 * MB, "and grading takes 1572864 kB"),
        ("RLIMIT_DATA", 60 * MB, "61440 kB of data (`ulimit -d`), and every command takes"),
        ("RLIMIT_DATA", 200 * MB, "and grading takes 524288 kB"),
    ],
)
def test_grading_with_little_memory_says_what_is_short_and_loses_nothing(
    kind: str, size: int, told: str, jobs: int, tmp_path: Path
) -> None:
    kit, out = small_kit(tmp_path / "kit"), tmp_path / "out"
    write(tmp_path / "class" / "ann", {"twice.py": "def twice(x):\n    return x + x\n"})
    out.mkdir()
    (out / "results.json").write_text("before", "utf-8")
    words = ["grade", tmp_path / "class", "--out", out, "--no-html", "--kit", kit, "--jobs", jobs]
    done = limited(kind, size, *words)
    assert (done.returncode, done.stdout) == (3, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("attn: this process may use") and told in line
    assert f"{'ulimit -v' if kind == 'RLIMIT_AS' else 'ulimit -d'} unlimited`" in line
    assert (out / "results.json").read_text("utf-8") == "before"


@pytest.mark.parametrize("words", [("verify", "--kit", ROOT), ("demo", "--out", "OUT")])
def test_a_proof_with_less_than_a_worker_is_promised_says_so(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    done = limited(
        "RLIMIT_AS", 300 * MB, *(str(each).replace("OUT", str(tmp_path)) for each in words)
    )
    assert done.returncode == 3
    assert "takes 1572864 kB" in done.stderr and "Traceback" not in done.stderr


def test_the_desk_works_where_a_shell_leaves_little_memory(tmp_path: Path) -> None:
    size = room.FLOOR[0]
    done = limited("RLIMIT_AS", size, "check", "softmax", "--dir", ROOT / "exercises")
    assert done.returncode == 1 and "softmax" in done.stdout, done.stderr
    done = limited("RLIMIT_AS", size - room.UNITS, "check", "--dir", ROOT / "exercises")
    assert (done.returncode, done.stdout) == (3, "")


def test_what_workers_are_promised_is_more_than_every_command_takes() -> None:
    limits = Limits()
    assert room.FLOOR[0] < limits.address and room.FLOOR[1] < limits.memory


@pytest.mark.parametrize("error", [MemoryError(), OSError(12, "Cannot allocate memory")])
def test_memory_that_runs_out_while_grading_is_no_traceback(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def out_of_memory(*_: object) -> None:
        try:
            raise error
        except Exception as caught:
            raise ValueError("as a library calls it") from caught

    monkeypatch.setattr(batch, "grade", out_of_memory)
    (tmp_path / "class").mkdir()
    words = ["grade", str(tmp_path / "class"), "--out", str(tmp_path / "out"), "--kit", str(ROOT)]
    done = CliRunner().invoke(cli.main, words)
    assert done.exit_code == 3
    assert "attn: memory ran out on this machine" in done.output
    assert "No score was written; what is graded by now is kept." in done.output


def test_an_error_near_a_limit_is_taken_for_memory_and_another_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    error = ImportError("failed to map segment from shared object")
    monkeypatch.setattr(room, "_limits", lambda: [1000 * MB, None])
    monkeypatch.setattr(room, "_peaks", lambda: [500 * MB, 900 * MB])
    assert room.ran_out(error, guess=True) is None
    monkeypatch.setattr(room, "_peaks", lambda: [900 * MB, 900 * MB])
    assert room.ran_out(error) is None
    said = room.ran_out(error, guess=True)
    assert said is not None and said.startswith(
        "memory ran out (ImportError): this process may use 1024000 kB of address space"
    )
    monkeypatch.setattr(room, "_limits", lambda: [None, None])
    assert room.ran_out(error, guess=True) is None


def test_peaks_are_read_where_the_system_tells_them() -> None:
    space, data = room._peaks()
    assert space is not None and data is not None and space > data > MB


def test_blas_starts_one_thread_where_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    monkeypatch.setattr(room, "_limits", lambda: [None, None])
    room.prepare()
    assert "OPENBLAS_NUM_THREADS" not in os.environ
    monkeypatch.setattr(room, "_limits", lambda: [10**9, None])
    room.prepare()
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
