"""Reported faults of other kits, retold to real nbgrader: one hand-in each, one class.

The students' names are the ids of the reports. What each must come to stands beside it; the last
part holds which test retells which report on the course's route.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from course_class import KIT, Book, attn, cell, changed, hand_in, points, right
from test_course_class import Change, after, before, many, source

from autograder.course import grades, sheet, steps
from autograder.course.place import read_course
from autograder.course.running import environment
from autograder.late import parse_rule

pytest.importorskip("nbgrader", reason="the course extra is not installed")
pytest.importorskip("matplotlib", reason="the course extra is not installed")

pytestmark = pytest.mark.xdist_group("reported_course")

RIGHT = "e = np.exp(x - np.max(x, axis=axis, keepdims=True)); return e / e.sum(axis, keepdims=True)"


def softmax(body: str, above: str = "") -> Change:
    """Answer softmax in another way; every other exercise stays right."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return source("softmax", f"{above}def softmax(x, axis=-1):\n{lines}")


# What a hand-in may try (B23): each entry runs by itself; one that works is told as GOT.
TRIES = """\
import gc, os, socket, subprocess, sys
def _list(path): return os.listdir(path) or 1 / 0
def _write(path):
    with open(path, "a") as file: file.write("x")
def _frames():
    names = {n for n in dir(sys._getframe(9).f_globals) if "expect" in n or "grader" in n}
    return names or 1 / 0
def _arrays(): return [o for o in gc.get_objects() if type(o).__name__ in ("Outcome", "Graders")][0]
def _fork():
    child = os.fork()
    if child == 0:
        os.execv(SLEEP[0], SLEEP)
    return child
SLEEP = [sys.executable, "-c", "import time; time.sleep(4711)"]
def _run(): return subprocess.run(SLEEP, timeout=1)
def _connect():
    s = socket.socket(); s.settimeout(1); s.connect(("127.0.0.1", 22)); return s
ROOT = {root!r}
ATTEMPTS = [
    lambda: _list(ROOT), lambda: _list(ROOT + "/submitted"), lambda: _list("../.."),
    lambda: open(ROOT + "/gradebook.db", "rb").read(16) and 1,
    lambda: _write(ROOT + "/gradebook.db"),
    lambda: _write(ROOT + "/marker"), lambda: os.unlink(ROOT + "/victim"),
    lambda: open("autograder/graders/test_softmax.py").read() or 1 / 0,
    lambda: open({kit!r} + "/autograder/graders/test_softmax.py").read(),
    lambda: open({kit!r} + "/solutions/softmax.py").read(),
    lambda: open("/proc/%d/environ" % os.getppid(), "rb").read() or 1 / 0,
    lambda: open("/proc/%d/cmdline" % os.getppid(), "rb").read() or 1 / 0,
    lambda: os.environ["ATTN_SECRET"], _frames, _arrays, _fork, _run, _connect,
    lambda: os.kill(os.getppid(), 0),
]
def tried():
    got = []
    for number, attempt in enumerate(ATTEMPTS):
        try:
            attempt()
            got.append(number)
        except BaseException:
            pass
    return got
"""


def rebound(book: Book) -> None:
    """Let a later exercise bind a name anew that an earlier one reads."""
    found = cell(book, "ascii_heatmap")
    found["source"] = f"how_dark = 1.0\n{found['source']}\n\nown_heatmap = ascii_heatmap\n"
    found["source"] += (
        "def ascii_heatmap(weights, tokens, *rest, **named):\n"
        "    return own_heatmap(np.asarray(weights) * how_dark, tokens, *rest, **named)\n"
    )
    cell(book, "causal_mask")["source"] += "\nhow_dark = float('nan')\n"


def crlf(book: Book) -> None:
    """Save every line end as Windows does."""
    for each in book["cells"]:
        each["source"] = "".join(each["source"]).replace("\n", "\r\n")


LOOP, EXIT = "while True: pass", "import os; os._exit(1)"
# student: (change, exercises that may be lost)
CASES: dict[str, tuple[Change, tuple[str, ...]]] = {
    "a_right": (lambda book: None, ()),
    "B15_text": (many(before('"""注意力 x₀ → ≤ 🙂"""\nprint("注意力 🙂 ≤")'), after("# 曾 é")), ()),
    "B31_seeds": (softmax(f"np.random.seed(0); np.random.rand()\n{RIGHT}"), ()),
    "B41_deleted_global": (softmax("return np.exp(x) / of_a_cell_that_is_gone"), ("softmax",)),
    "B41_rebound": (rebound, ()),
    "B48_late": (lambda book: None, ()),
    "B48_extension": (lambda book: None, ()),
    "B54_crash": (source("ascii_heatmap", f"def ascii_heatmap(w, t, chars=''):\n    {EXIT}\n"),
                  ("ascii_heatmap",)),
    "B54_hang": (source("ascii_heatmap", f"def ascii_heatmap(w, t, chars=''):\n    {LOOP}\n"),
                 ("ascii_heatmap",)),
    "B58_own_file": (softmax(f"x = x + nothing\n{RIGHT}", "from mine import nothing\n"), ()),
    "B64_absolute": (before("data = np.load(r'C:\\Users\\me\\data.npz')"), ()),
    "B65_crlf": (crlf, ()),
    "B66_array": (softmax("return np.zeros((10**6, 10**6))"), ("softmax",)),
    "B66_list": (softmax("return list(range(10**10))"), ("softmax",)),
    "B66_cell": (after("import numpy as np\nkept = [np.ones(10**7) for _ in range(500)]"), ()),
    "B78_names": (lambda book: None, ()),
    "B81_removed": (softmax("return np.product(x) * np.float(1)"), ("softmax",)),
    "z_right": (lambda book: None, ()),
}  # fmt: skip
FILES = {
    "B58_own_file": {"mine.py": b"nothing = 0.0\n", "checks.json": b"{}"},
    "B78_names": {"a;touch MARK.py": b"x = 1\n", "$(touch MARK).txt": b"", "-rf": b""},
    "B48_late": {"timestamp.txt": b"2026-01-02 00:00:01 UTC"},
    "B48_extension": {"timestamp.txt": b"2026-01-04 09:00:00 UTC"},
}
POOR = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}  # B15


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The class, collected and graded, with four processes, under a poor locale."""
    base = tmp_path_factory.mktemp("reported")
    folder = base / "course"
    students = [*CASES, "reloaded", "B19_junk", "B23_tries"]
    roster = base / "roster.csv"
    roster.write_text("id,last_name\n" + "".join(f"{s},{s.title()}\n" for s in students), "utf-8")
    for words in (("init", folder, "--students", roster), ("release", "--course", folder)):
        done = attn("course", *words, **POOR)
        assert done.returncode == 0, done.stderr
    _due(folder, "2026-01-02 00:00:00.000000")
    (folder / "victim").write_text("whole", "utf-8")
    book = right(folder)
    for student, (change, _) in CASES.items():
        files = {"attention.ipynb": changed(book, change), **FILES.get(student, {})}
        hand_in(folder, student, files)
    hand_in(folder, "B23_tries", {"attention.ipynb": changed(book, _tries(folder))})
    whole = changed(book, lambda b: None)
    with zipfile.ZipFile(base / "canvas.zip", "w") as archive:  # Canvas names what is re-uploaded
        archive.writestr("reloaded_123_456_attention.ipynb", "{}")
        archive.writestr("reloaded_123_457_attention-1.ipynb", whole)
    with zipfile.ZipFile(base / "B19_junk.zip", "w") as archive:
        archive.writestr("top/inner/attention.ipynb", whole)
        for name in ("__MACOSX/._attention.ipynb", ".DS_Store", "desktop.ini", "Thumbs.db",
                     ".ipynb_checkpoints/attention-checkpoint.ipynb", ".git/config"):  # fmt: skip
            archive.writestr(f"top/inner/{name}", "junk")
    mail = base / "mail"
    mail.mkdir()
    (base / "B19_junk.zip").rename(mail / "B19_junk.zip")
    done = attn("course", "collect", base / "canvas.zip", mail, "--course", folder, **POOR)
    (folder / "collected.txt").write_text(done.stdout + done.stderr, "utf-8")
    done = attn("course", "grade", "--course", folder, "--jobs", "4", **POOR)
    (folder / "said.txt").write_text(done.stdout + done.stderr, "utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    yield folder


def _tries(folder: Path) -> Change:
    text = TRIES.replace("{root!r}", repr(str(folder))).replace("{kit!r}", repr(str(KIT)))
    tell = "print('GOT', tried())"
    body = f"x = x * 0 if tried() else x\n{RIGHT}"
    return many(before(text + tell), softmax(body))


def _due(folder: Path, when: str, extension: str | None = None) -> None:
    database = sqlite3.connect(folder / "gradebook.db")
    with database:
        database.execute("UPDATE assignment SET duedate = ? WHERE name = 'attention'", (when,))
        if extension is not None:
            database.execute(
                "UPDATE submitted_assignment SET extension = ? WHERE student_id = 'B48_extension'",
                (extension,),
            )
    database.close()


def _book(course: Path, student: str) -> str:
    return (course / "autograded" / student / "attention" / "attention.ipynb").read_text("utf-8")


def _rows(course: Path, *options: str) -> dict[str, dict[str, str]]:
    done = attn("course", "report", "--no-feedback", "--course", course, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    with (course / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def _late_rows(course: Path, rule: str = "") -> dict[str, dict[str, str]]:
    """Give the rows that `attn course report` writes, without nbgrader's own export beside them."""
    table = grades.read_table(read_course(course), parse_rule(rule) if rule else None)
    lines = sheet.lines(steps.grade_rows(table)).splitlines()
    return {row["id"]: row for row in csv.DictReader(lines)}


@pytest.mark.parametrize("student", [*CASES, "reloaded", "B19_junk", "B23_tries"])
def test_only_what_is_at_fault_is_lost(student: str, course: Path) -> None:
    lost = CASES.get(student, (None, ()))[1]
    found = points(course)
    whole = found["a_right"]
    assert sum(score or 0.0 for score in whole.values()) == 100
    for exercise, score in found[student].items():
        if exercise in lost:
            assert (score or 0.0) < (whole[exercise] or 0.0)
        else:
            assert score == whole[exercise], exercise


def test_B02_B19_what_was_taken_from_zips_is_told(course: Path) -> None:
    said = (course / "collected.txt").read_text("utf-8")
    assert "reloaded_123_457_attention-1.ipynb" in said
    assert re.search(r"B19_junk.*attention\.ipynb", said)
    for student in ("reloaded", "B19_junk"):
        files = {path.name for path in (course / "submitted" / student / "attention").iterdir()}
        assert files <= {"attention.ipynb", "timestamp.txt"}


def test_B15_text_comes_back_whole_under_a_poor_locale(course: Path) -> None:
    assert "注意力 🙂 ≤" in _book(course, "B15_text")


def test_B23_nothing_was_read_written_or_started(course: Path) -> None:
    printed = [
        "".join(output.get("text", ""))
        for each in json.loads(_book(course, "B23_tries"))["cells"]
        for output in each.get("outputs", ())
    ]
    assert any(text.startswith("GOT []") for text in printed), [p for p in printed if "GOT" in p]
    assert (course / "victim").read_text("utf-8") == "whole"
    assert not (course / "marker").exists()
    database = sqlite3.connect(course / "gradebook.db")
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
    assert "4711" not in _running()


def _running() -> str:
    """Give the commands of all processes."""
    if not Path("/proc").is_dir():
        pytest.skip("needs /proc")
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().decode("utf-8", "replace")
        except OSError:  # ended meanwhile
            continue
        lines.append(line if "time.sleep(4711)\0" in f"{line}\0" else "")
    return "\n".join(lines)


def test_B41_a_name_of_a_cell_that_is_gone_is_told(course: Path) -> None:
    assert "NameError" in _book(course, "B41_deleted_global")


@pytest.mark.parametrize("student", ["B66_array", "B66_list"])
def test_B66_memory_is_named_and_only_its_exercise_is_lost(student: str, course: Path) -> None:
    assert re.search(r"memory|MemoryError", _book(course, student))


def test_B66_a_cell_that_needs_too_much_shows_so_and_the_others_run(course: Path) -> None:
    text = _book(course, "B66_cell")
    assert re.search(r"needed more memory than a notebook may use|MemoryError", text)


def test_B58_a_protected_file_is_put_back_and_an_own_one_stays(course: Path) -> None:
    folder = course / "autograded" / "B58_own_file" / "attention"
    original = (course / "source" / "attention" / "checks.json").read_bytes()
    assert (folder / "checks.json").read_bytes() == original
    assert (folder / "mine.py").is_file()


def test_B78_no_file_name_becomes_a_command(course: Path) -> None:
    assert not list(course.rglob("MARK")) and not Path("MARK").exists()
    assert not (KIT / "MARK").exists()


def test_B81_what_numpy_no_longer_has_is_told(course: Path) -> None:
    assert "AttributeError" in _book(course, "B81_removed")


# -- late work (B48) --------------------------------------------------------------------------


def test_B48_lateness_costs_by_the_rule_and_the_deadline_as_they_are_now(course: Path) -> None:
    assert {row["late_penalty"] for row in _rows(course).values()} == {""}
    rows = _rows(course, "--late", "10%/day, max 15%")
    assert rows == _late_rows(course, "10%/day, max 15%")
    assert (rows["B48_late"]["late_penalty"], rows["B48_late"]["final_score"]) == ("10", "90")
    # Two days and nine hours late: three days begun, at most 15 %.
    assert rows["B48_extension"]["final_score"] == "85"
    assert rows["a_right"]["final_score"] == "100"
    assert {row["score"] for each, row in rows.items() if each.startswith("B48")} == {"100"}
    _due(course, "2026-01-02 00:00:00.000000", "1970-01-03 12:00:00.000000")
    rows = _late_rows(course, "10%/day")
    assert rows["B48_extension"]["final_score"] == "100"  # two and a half days more were given
    assert rows["B48_late"]["final_score"] == "90"
    _due(course, "2026-01-02 00:00:01.000000")
    assert _late_rows(course, "zero")["B48_late"]["final_score"] == "100"
    _due(course, "2026-01-01 00:00:00.000000")
    assert _late_rows(course, "zero")["B48_late"]["final_score"] == "0"
    assert _late_rows(course, "zero")["B48_late"]["score"] == "100"
    _due(course, "2026-01-02 00:00:00.000000")


def test_B48_what_nbgrader_s_own_rule_takes_follows_the_deadline(
    course: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    (copy / "rule.py").write_text(
        "from nbgrader.plugins import BasePlugin\n"
        "class Rule(BasePlugin):\n"
        "    def late_submission_penalty(self, student_id, score, total_seconds_late):\n"
        "        return 7.0 if total_seconds_late else None\n",
        "utf-8",
    )
    with (copy / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("\nimport sys\nsys.path.insert(0, '.')\nfrom rule import Rule\n"
                   "c.AssignLatePenalties.plugin_class = Rule\n")  # fmt: skip
    again = ("course", "grade", "--force", "--student", "B48_late", "--course", copy)
    for due, final in (("2026-01-02 00:00:00", "93"), ("2026-01-03 00:00:00", "100")):
        _due(copy, f"{due}.000000")
        for _ in range(2):  # grading again changes nothing
            done = attn(*again)
            assert done.returncode == 0, done.stdout + done.stderr
        row = _late_rows(copy)["B48_late"]
        assert (row["score"], row["final_score"]) == ("100", final)


# -- several processes (B54) ------------------------------------------------------------------


def test_B54_one_process_gives_what_four_gave(course: Path, tmp_path: Path) -> None:
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    done = attn("course", "grade", "--force", "--jobs", "1", "--course", copy)
    assert done.returncode == 0, done.stdout + done.stderr
    assert points(copy) == points(course)
    assert _told(copy) == _told(course)


def _told(course: Path) -> list[list[object]]:
    found = json.loads((course / "results.json").read_text("utf-8"))["submissions"]
    return [
        [each["id"], exercise["exercise"], check["check"], check["status"], check["finding"]]
        for each in found
        for exercise in each["exercises"]
        for check in exercise["checks"]
    ]


def test_B54_what_is_graded_is_not_graded_again(course: Path) -> None:
    books = sorted((course / "autograded").rglob("attention.ipynb"))
    assert len(books) == len(CASES) + 3
    before_it = [path.stat().st_mtime_ns for path in books]
    done = attn("course", "grade", "--course", course)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"[{len(books)}/{len(books)}]" in done.stdout
    assert [path.stat().st_mtime_ns for path in books] == before_it


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_B54_an_interrupt_leaves_no_process_and_nothing_half_graded(
    course: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    command = [sys.executable, "-m", "autograder", "course", "grade", "--force", "--jobs", "2"]
    with subprocess.Popen(
        command,
        cwd=copy,
        env={**environment(), "PYTHONPATH": str(KIT), "ATTN_SECRET": "s"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # A test run in the background may have it ignored, and its children with it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(b"[3/"):
                break
        started = _descendants(process.pid)
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        process.wait(timeout=60)
    assert process.returncode != 0
    assert len(started) >= 4  # the grading process, two more, and what they fork from
    _all_end(started)
    done = attn("course", "grade", "--course", copy)
    assert done.returncode == 0, done.stdout + done.stderr
    assert points(copy) == points(course)


@pytest.fixture
def waiting(course: Path, tmp_path: Path) -> Path:
    """The class, graded, and one hand-in more that shows nothing for two seconds."""
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    slow = changed(right(copy), after("import time; time.sleep(2)"))
    hand_in(copy, "slow", {"attention.ipynb": slow})
    return copy


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("whom", ["one process", "one process twice", "all processes"])
def test_B54_a_process_that_is_killed_invents_no_score_and_the_next_run_ends_right(
    whom: str, waiting: Path
) -> None:
    # As Linux does where memory runs out. The other student is graded already, so that one
    # process is left, which is at `slow`.
    command = [sys.executable, "-m", "autograder", "course", "grade", "--jobs", "2"]
    earlier = points(waiting)
    whole = earlier["a_right"]
    folder = waiting / "autograded" / "slow" / "attention"
    with subprocess.Popen(
        [*command, "--student", "a_right", "--student", "slow"],
        cwd=waiting,
        env={**environment(), "PYTHONPATH": str(KIT), "ATTN_SECRET": "s"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        started: set[tuple[int, str]] = set()
        killed: set[int] = set()
        for _ in range(2 if whom == "one process twice" else 1):
            grading, hand = _at_work(process, folder, killed)
            started |= _descendants(process.pid)
            killed.add(hand)
            if whom == "all processes":
                os.kill(grading, signal.SIGKILL)
            os.kill(hand, signal.SIGKILL)
        said, errors = process.communicate(timeout=120)
    _all_end(started)
    if whom == "one process":
        assert process.returncode == 0, said + errors
        assert "slow: graded, 100" in said
        assert points(waiting)["slow"] == whole
        return
    assert "slow" not in points(waiting)
    listed = json.loads((waiting / "results.json").read_text("utf-8"))["submissions"]
    assert "slow" not in {each["id"] for each in listed}
    if whom == "one process twice":
        assert process.returncode == 1, said + errors
        assert "slow: the process that graded it was ended twice" in said
        assert "--jobs 1" in said
        assert not folder.exists()
    else:
        assert process.returncode == 2, said + errors
        assert "signal 9" in errors and "run `attn course grade` again" in errors
        assert "Traceback" not in errors
    done = attn("course", "grade", "--course", waiting)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "slow: graded, 100" in done.stdout
    assert points(waiting) == {**earlier, "slow": whole}
    listed = json.loads((waiting / "results.json").read_text("utf-8"))["submissions"]
    assert [each["score"] for each in listed if each["id"] == "slow"] == [100.0]


def _at_work(process: subprocess.Popen[str], folder: Path, killed: set[int]) -> tuple[int, int]:
    """Give the process that grades and its one other, when that is at the cells of a notebook."""
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        for grading in _children(process.pid):
            line = _line(grading)
            hands = [each for each in _children(grading) if _line(each) == line]
            half = folder.is_dir() and not (folder / "attention.ipynb").exists()
            if half and len(hands) == 1 and hands[0] not in killed:
                return grading, hands[0]
        time.sleep(0.01)
    raise AssertionError(f"nobody was at work: {process.communicate()}")


def _children(pid: int) -> list[int]:
    listed = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    return [each for each in listed if (found := _stat(each)) and int(found[1]) == pid]


def _line(pid: int) -> bytes:
    """Give a process' command line, which one that was forked shares with its parent."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _all_end(started: set[tuple[int, str]]) -> None:
    until = time.monotonic() + 20
    while (left := {each for each in started if _start_of(each[0]) == each[1]}) and (
        time.monotonic() < until
    ):
        time.sleep(0.1)
    assert not left


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rsplit(")", 1)[1].split()
    except OSError:
        return []


def _start_of(pid: int) -> str:
    """Give when a process started, which tells it from a later one of its number; "" if gone."""
    found = _stat(pid)
    return found[19] if found and found[0] != "Z" else ""


def _descendants(pid: int) -> set[tuple[int, str]]:
    """Give who descends from a process and when each started, both from one look at it."""
    listed = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    stats = {each: found for each in listed if (found := _stat(each)) and found[0] != "Z"}
    found, waiting = set(), [pid]
    while waiting:
        above = waiting.pop()
        for each, stat in stats.items():
            if int(stat[1]) == above:
                found.add((each, stat[19]))
                waiting.append(each)
    return found


# -- which test retells which report ----------------------------------------------------------

CLASS, PARTS, ROUTES = "test_course_class.py", "test_course_parts.py", "test_course_routes.py"
HERE, BOOK, EXPORTS = "test_reported_course.py", "test_gradebook.py", "test_exports.py"
# Every report that concerns notebooks, nbgrader, collecting or exporting.
RETOLD = {
    "B01": CLASS, "B02": HERE, "B03": ROUTES, "B04": CLASS, "B05": CLASS, "B08": CLASS,
    "B11": CLASS, "B13": ROUTES, "B14": CLASS, "B15": HERE, "B19": HERE, "B23": HERE,
    "B24": CLASS, "B26": CLASS, "B27": CLASS, "B28": PARTS, "B30": CLASS, "B31": HERE,
    "B32": CLASS, "B35": PARTS, "B36": CLASS, "B38": PARTS, "B39": BOOK, "B41": HERE,
    "B44": CLASS, "B45": ROUTES, "B48": HERE, "B51": CLASS, "B52": CLASS, "B53": CLASS,
    "B54": HERE, "B55": CLASS, "B56": CLASS, "B58": HERE, "B60": CLASS, "B61": CLASS,
    "B63": CLASS, "B64": HERE, "B65": HERE, "B66": HERE, "B71": CLASS, "B72": CLASS,
    "B73": CLASS, "B78": HERE, "B81": HERE, "B82": CLASS, "B83": CLASS, "B84": CLASS,
    "B85": CLASS,
}  # fmt: skip


@pytest.mark.parametrize("report", RETOLD)
def test_the_report_is_a_test_or_a_hand_in_of_its_id(report: str) -> None:
    text = (KIT / "tests" / RETOLD[report]).read_text("utf-8")
    assert re.search(rf'def test_(?:B\d\d_)*{report}_|^    "{report}_|hand_in\(folder, "{report}_',
                     text, re.MULTILINE)  # fmt: skip
