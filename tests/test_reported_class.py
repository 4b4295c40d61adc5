"""Reported faults of other kits that show on a whole class, a machine or a release."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from classroom import plan, write
from small_kit import small_kit
from test_html import Page

from autograder import batch, results
from autograder.exercise import Kit, read_kit
from autograder.export.class_page import index_page
from autograder.export.html import Meta, student_page

ROOT = Path(__file__).resolve().parent.parent
RIGHT = "def twice(x):\n    return x + x\n"


@pytest.fixture
def small(tmp_path: Path) -> Kit:
    return read_kit(small_kit(tmp_path / "kit"))


def attn(*arguments: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    call = [sys.executable, "-m", "autograder", *map(str, arguments)]
    own = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(call, env=own, capture_output=True, timeout=120)


def graded(kit: Kit, home: Path, out: Path, **environment: str) -> bytes:
    """Grade by the command, and give what it printed."""
    done = attn("grade", home, "--out", out, "--kit", kit.root, "--lang", "en", **environment)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def scores(out: Path) -> dict[str, float | None]:
    found = results.read(out / "results.json")
    return {each.id: each.score for each in found.submissions}


def test_B11_B15_paths_and_text_beyond_ascii_change_nothing(small: Kit, tmp_path: Path) -> None:
    home = tmp_path / "曾 é" / "课程 1"
    text = '"""注意力 x₀ → ≤ 🙂"""\nprint("注意力 🙂")\n' + RIGHT
    write(home / "李 é", {"twice.py": text})
    environment = {
        "PYTHONUTF8": "0",
        "LC_ALL": "C",
        "PYTHONIOENCODING": "ascii",
        "HOME": str(home),
        "TMPDIR": str(home),
    }
    printed = graded(small, home, home.parent / "out", **environment)
    assert scores(home.parent / "out") == {"李 é": 4.0}
    assert b"4.0" in printed
    for path in (home.parent / "out").rglob("*.html"):
        path.read_text("utf-8")


def test_B20_verdicts_and_points_are_words_without_colour_or_odd_signs(
    small: Kit, tmp_path: Path
) -> None:
    write(tmp_path / "class" / "ann", {"twice.py": RIGHT.replace("+ x", "+ 2 * x")})
    out = tmp_path / "out"
    plain = {"NO_COLOR": "1", "TERM": "dumb", "PYTHONIOENCODING": "ascii:ignore"}
    printed = graded(small, tmp_path / "class", out, **plain).decode("ascii", "ignore")
    assert "\x1b" not in printed and "graded" in printed
    found = results.read(out / "results.json")
    pages = [student_page(found.submissions[0], Meta("0")), index_page(found)]
    for page in map(Page, [*pages, (out / "report.html").read_text("utf-8")]):
        assert page.faults == []
        assert page.all("html")[0]["lang"] == "en" and page.all("title") and page.headings[0] == 1
        assert all(each.get("scope") for each in page.all("th"))
        assert "not yet" in page.text or "Full marks" in page.text


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="needs a user without rights")
def test_B40_read_only_hand_ins_are_graded(small: Kit, tmp_path: Path) -> None:
    home = write(tmp_path / "class" / "ann", {"twice.py": RIGHT})
    home.chmod(0o500)
    try:
        graded(small, tmp_path / "class", tmp_path / "out")
    finally:
        home.chmod(0o700)
    assert scores(tmp_path / "out") == {"ann": 4.0}


def test_B40_nothing_is_written_beside_code(small: Kit, tmp_path: Path) -> None:
    write(tmp_path / "class" / "ann", {"twice.py": RIGHT})
    before = sorted(each for where in ("kit", "class") for each in (tmp_path / where).rglob("*"))
    graded(small, tmp_path / "class", tmp_path / "out", HOME="")
    after = sorted(each for where in ("kit", "class") for each in (tmp_path / where).rglob("*"))
    assert after == before


def test_B34_B54_a_run_that_is_killed_leaves_the_old_results_and_goes_on(
    small: Kit, tmp_path: Path
) -> None:
    home, out = tmp_path / "class", tmp_path / "out"
    slow = "import time\ndef twice(x):\n    time.sleep(0.2)\n    return x + x\n"
    for number in range(6):
        write(home / f"s{number}", {"twice.py": f"# {number}\n{slow}"})
    call = [sys.executable, "-m", "autograder", "grade", home, "--out", out, "--kit", small.root]
    own = {**os.environ, "PYTHONPATH": str(ROOT), "ATTN_SECRET": "x"}
    with subprocess.Popen(
        list(map(str, call)), env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as started:
        journal, until = out / batch.JOURNAL, time.monotonic() + 60
        while time.monotonic() < until and (
            not journal.exists() or journal.read_bytes().count(b"\n") < 2
        ):
            time.sleep(0.02)
        started.send_signal(signal.SIGTERM)
    assert started.returncode != 0
    if (out / "results.json").exists():  # what was finished, whole; never a part of a file
        results.read(out / "results.json")
    kept = journal.read_bytes().count(b"\n")
    assert kept >= 2
    graded(small, home, out, ATTN_SECRET="x")
    json.loads((out / "results.json").read_text("utf-8"), parse_constant=pytest.fail)
    assert set(scores(out).values()) == {4.0} and len(scores(out)) == 6


def test_B54_several_processes_give_the_scores_of_one(small: Kit, tmp_path: Path) -> None:
    home = tmp_path / "class"
    for number in range(4):
        write(home / f"s{number}", {"twice.py": RIGHT})
    write(home / "s4", {"twice.py": "import os\ndef twice(x): os._exit(1)\n"})
    found = [
        batch.grade(small, plan(home, tmp_path / f"out{jobs}", html=False, jobs=jobs))
        for jobs in (1, 2)
    ]
    one, two = ([(each.id, each.score) for each in run.submissions] for run in found)
    assert one == two and one[4][1] == 0.0


# ---- Every report has its test --------------------------------------------------------------

REPORTS = """
B01 B02 B03 B04 B05 B08 B11 B13 B14 B15 B19 B20 B21 B23 B24 B26 B27 B28 B30 B31 B32 B34 B35 B36
B38 B40 B41 B44 B45 B48 B50 B51 B52 B53 B54 B55 B56 B58 B60 B61 B63 B64 B65 B66 B71 B72 B73 B78
B79 B81 B82 B83 B84 B85 B87 B90 B93
""".split()


def test_every_reported_fault_is_a_test_by_its_id() -> None:
    text = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"(?:def test_|_|\")(B\d\d)(?=[_ ])", text))
    assert sorted(set(REPORTS) - named) == []
