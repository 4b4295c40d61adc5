"""A class of odd notebooks through real nbgrader: released, graded, reported; one student a fault.

The students' names are the ids of the reported faults that they retell. Between the first and the
last, who answer everything, nobody may stop anybody.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from course_class import Book, attn, cell, changed, code, hand_in, place, points, right, run

pytest.importorskip("nbgrader", reason="the course extra is not installed")
pytest.importorskip("matplotlib", reason="the course extra is not installed")

pytestmark = pytest.mark.xdist_group("course_class")

Change = Callable[[Book], object]
WRONG = "def softmax(x, axis=-1):\n    return x * 0.0\n"
LOOP = "def softmax(x, axis=-1):\n    n = 0\n    while True: n += 1\n"


def source(name: str, text: str) -> Change:
    """Put another text into a cell."""

    def change(book: Book) -> None:
        cell(book, name)["source"] = text

    return change


def before(text: str) -> Change:
    """Put a code cell at the top."""
    return lambda book: book["cells"].insert(1, code(text))


def after(text: str) -> Change:
    """Put a code cell at the end."""
    return lambda book: book["cells"].append(code(text))


def copied(name: str, text: str | None = None, at: int | None = None) -> Change:
    """Copy a cell with its id, to the end or elsewhere."""

    def change(book: Book) -> None:
        made = json.loads(json.dumps(cell(book, name)))
        made["source"] = made["source"] if text is None else text
        book["cells"].insert(len(book["cells"]) if at is None else at, made)

    return change


def without(*names: str) -> Change:
    """Delete cells."""

    def change(book: Book) -> None:
        for name in names:
            del book["cells"][place(book, name)]

    return change


def kernel(name: str, language: str = "python") -> Change:
    """Save from another kernel."""

    def change(book: Book) -> None:
        book["metadata"]["kernelspec"] = {
            "name": name, "display_name": name, "language": language,
        }  # fmt: skip

    return change


def split(book: Book) -> None:
    """Split the cell of masked_attention between its lines."""
    at = place(book, "masked_attention")
    found = book["cells"][at]
    lines = found["source"].split("\n")
    other = json.loads(json.dumps(found))
    found["source"], other["source"] = "\n".join(lines[:-2]), "\n".join(lines[-2:])
    book["cells"].insert(at + 1, other)


def as_text(book: Book) -> None:
    """Turn an answer into text."""
    found = cell(book, "softmax")
    found["cell_type"] = "markdown"
    del found["outputs"], found["execution_count"]


def to_the_top(book: Book) -> None:
    """Drag a grade cell to the top and the imports to the end."""
    book["cells"].insert(0, book["cells"].pop(place(book, "grade_softmax")))
    book["cells"].append(book["cells"].pop(place(book, "imports")))


def odd_ids(book: Book) -> None:
    """Give cells ids that are doubled, too long or absent."""
    for number, each in enumerate(book["cells"]):
        each["id"] = "same" if number % 3 else "x" * 80
    del book["cells"][0]["id"]


def unknown(book: Book) -> None:
    """Be of another release: a graded cell that is not there any more, other points."""
    made = json.loads(json.dumps(cell(book, "grade_softmax")))
    made["metadata"]["nbgrader"]["grade_id"] = "grade_softmin"
    book["cells"].append(made)
    cell(book, "grade_heads")["metadata"]["nbgrader"]["points"] = 99


def edited(book: Book) -> None:
    """Write full marks into a grade cell, also in its metadata."""
    cell(book, "grade_softmax")["source"] = "8.0"
    cell(book, "softmax")["source"] = WRONG


def many(*changes: Change) -> Change:
    """Make several changes."""

    def change(book: Book) -> None:
        for each in changes:
            each(book)

    return change


NOISE = (
    "import sys, warnings, logging, os\n"
    "warnings.warn('careful'); logging.warning('careful'); print('careful', file=sys.stderr)\n"
    "os.write(2, b'careful')"
)
SHADOWS = "sum = 0; len = 3; print = None; range = 5; open = None; isinstance = lambda *a: True"
MAGICS = (
    "%matplotlib inline\n%pip install x\n!rm -f marker\nfiles = !ls\n?softmax\n"
    "rest = (7\n% 4)\n%load_ext autoreload"
)
PATCHED = (
    "import numpy as np\nnp.allclose = lambda *a, **k: True\n"
    "np.testing.assert_allclose = lambda *a, **k: None"
)
FULL = 100.0
# student: (change, what is lost of the maximum, by exercise)
CASES: dict[str, tuple[Change, dict[str, float]]] = {
    "a_right": (lambda book: None, {}),
    "B01_loop": (source("softmax", LOOP), {"softmax": 8}),
    "B04_copied_grade_cell": (copied("grade_softmax"), {}),
    "B04_copied_answer_below": (copied("softmax", WRONG), {"softmax": 8}),
    "B04_copied_answer_above": (copied("softmax", WRONG, at=1), {}),
    "B05_flood": (after("print('x' * 30_000_000)\nfor i in range(100_000): print(i)"), {}),
    "B14_kernel": (kernel("python388jvsc74a57bd0"), {}),
    "B24_magics": (before(MAGICS), {}),
    "B24_time_above": (lambda b: cell(b, "softmax").update(
        source="%%time\n" + cell(b, "softmax")["source"]), {}),
    "B26_exit": (source("softmax", "def softmax(x, axis=-1):\n    import os; os._exit(0)\n"),
                 {"softmax": 8}),
    "B26_exit_cell": (after("import os; os._exit(0)"), {}),
    "B26_patched": (many(source("softmax", WRONG), before(PATCHED)), {"softmax": 8}),
    "B27_input": (before("name = input('your name?')"), {}),
    "B44_no_grade_cell": (without("grade_softmax"), {}),
    "B44_no_answer": (without("softmax"), {"softmax": 8}),
    "B44_nothing": (lambda book: book.update(cells=[]), {"everything": 100}),
    "B52_warnings": (many(before(NOISE), lambda b: cell(b, "softmax").update(
        source=cell(b, "softmax")["source"].replace(
            "\n    ", "\n    import warnings; warnings.warn('careful')\n    ", 1)
        if '"""' not in cell(b, "softmax")["source"] else cell(b, "softmax")["source"])), {}),
    "B55_zero": (source("softmax", WRONG), {"softmax": 8}),
    "B61_ids": (odd_ids, {}),
    "B63_shadows": (after(SHADOWS), {}),
    "B72_renamed": (lambda b: cell(b, "softmax").update(
        source=cell(b, "softmax")["source"].replace("def softmax", "def softMax")), {"softmax": 8}),
    "B73_other_release": (unknown, {}),
    "B83_moved": (to_the_top, {}),
    "B85_split": (split, {}),
    "as_text": (as_text, {}),
    "edited": (edited, {"softmax": 8}),
    "z_right": (lambda book: None, {}),
}  # fmt: skip
IDS = ("00007", "7", "x@uni.edu", "学生-李", "O'Neil", "=1+1")
ROSTER = (
    "\ufeffid;first_name;last_name;email\r\n"
    '00007;Ann;"Lee, Jr.";a@x\r\n7;Bo;"O""Neil";\r\nx@uni.edu;Cy;Müller;\r\n'
    "学生-李;李;学生;\r\nO'Neil;Di;=cmd;\r\n=1+1;Ed;Fox;\r\nnobody;No;Body;\r\n"
)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The class, graded and reported once; its folder has spaces and signs beyond ASCII (B11)."""
    base = tmp_path_factory.mktemp("曾 é")
    roster = base / "roster.csv"
    roster.write_text(ROSTER, encoding="utf-8", newline="")
    folder = base / "课程 1"
    for words in (("init", folder, "--students", roster), ("release", "--course", folder)):
        done = attn("course", *words)
        assert done.returncode == 0, done.stderr
    book = right(folder)
    for student, (change, _) in CASES.items():
        hand_in(folder, student, {"attention.ipynb": changed(book, change)})
    for student in IDS:
        hand_in(folder, student, {"attention.ipynb": changed(book, source("softmax", WRONG))})
    whole = changed(book, lambda b: None)
    hand_in(folder, "B08_renamed", {"attention (1).ipynb": whole})
    hand_in(folder, "B14_r", {"attention.ipynb": changed(book, kernel("ir", "R"))})
    hand_in(folder, "B56_empty", {})
    hand_in(folder, "B82_bom", {"attention.ipynb": b"\xef\xbb\xbf" + whole})
    hand_in(folder, "B84_two", {"attention.ipynb": whole, "draft.ipynb": b"{}"})
    hand_in(folder, "broken", {"attention.ipynb": b'{"cells": [', "timestamp.txt": b"no time"})
    done = attn("course", "grade", "--course", folder, "--jobs", "2")
    (folder / "said.txt").write_text(done.stdout + done.stderr, encoding="utf-8")
    assert done.returncode == 1, done.stdout + done.stderr  # done, and some are named
    done = attn("course", "report", "--course", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    yield folder


@pytest.fixture(scope="module")
def found(course: Path) -> dict[str, dict[str, float | None]]:
    """The gradebook's automatic points."""
    return points(course)


@pytest.fixture(scope="module")
def maxima(found: dict[str, dict[str, float | None]]) -> dict[str, float]:
    """Each exercise's points: what a right notebook has."""
    return {name: float(score or 0) for name, score in found["a_right"].items()}


@pytest.fixture(scope="module")
def rows(course: Path) -> dict[str, dict[str, str]]:
    """The grades file."""
    with (course / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["id"].removeprefix("'"): row for row in csv.DictReader(file)}


@pytest.mark.parametrize("student", CASES)
def test_B11_a_fault_costs_what_it_should_when_the_class_is_graded(
    student: str, found: dict[str, dict[str, float | None]], maxima: dict[str, float]
) -> None:
    lost = CASES[student][1]
    assert sum(maxima.values()) == FULL
    if "everything" in lost:
        wanted: dict[str, float] = dict.fromkeys(maxima, 0.0)
    else:
        wanted = {name: most - lost.get(name, 0) for name, most in maxima.items()}
    got = dict(found[student])
    if student not in ("a_right", "z_right") and "softmax" in lost:
        # A wrong function may still earn its checks on the way; it must not earn all of them.
        assert (got.pop("softmax") or 0.0) < maxima["softmax"]
        wanted.pop("softmax")
    assert got == wanted


def test_B03_no_page_holds_a_grader_or_a_path_when_feedback_is_made(course: Path) -> None:
    pages = sorted((course / "feedback").rglob("*.html"))
    assert len(pages) == len(CASES) + len(IDS) + 6
    books = sorted((course / "autograded").rglob("*.ipynb"))
    kit = Path(__file__).resolve().parent.parent
    for path in [*pages, *books, course / "said.txt"]:
        text = path.read_text(encoding="utf-8")
        for token in (
            "def test_",
            "expect.",
            "reference.",
            "autograder/graders",
            "Traceback (most",
        ):
            assert token not in text or _in_student_text(token, text), (path, token)
        assert str(kit) not in text, path
        assert str(course) not in text or path.name == "said.txt", path


def _in_student_text(token: str, text: str) -> bool:
    # IPython heads every traceback of a student's own cell so.
    return token == "Traceback (most" and "Cell In" in text


def test_B08_a_renamed_notebook_is_graded_with_a_notice(
    found: dict[str, dict[str, float | None]], rows: dict[str, dict[str, str]]
) -> None:
    assert sum(score or 0 for score in found["B08_renamed"].values()) == FULL
    assert "attention (1).ipynb was read as attention.ipynb" in rows["B08_renamed"]["note"]


def test_B14_another_language_is_named_and_has_no_score(rows: dict[str, dict[str, str]]) -> None:
    row = rows["B14_r"]
    assert (row["status"], row["score"]) == ("unreadable", "")
    assert "another language than Python" in row["note"]


def test_B30_everybody_on_the_list_has_a_row_of_equal_length(course: Path) -> None:
    text = (course / "grades.csv").read_text(encoding="utf-8-sig")
    lines = list(csv.reader(text.splitlines()))
    assert {len(line) for line in lines} == {len(lines[0])}
    assert len(lines) == 1 + len(CASES) + len(IDS) + 6 + 1


def test_B30_who_handed_in_nothing_has_no_score_but_is_listed(
    rows: dict[str, dict[str, str]],
) -> None:
    assert (rows["nobody"]["status"], rows["nobody"]["score"]) == ("missing", "")


@pytest.mark.parametrize("student", IDS)
def test_B32_B36_an_id_stays_as_it_is_when_it_is_graded(
    student: str,
    found: dict[str, dict[str, float | None]],
    maxima: dict[str, float],
    rows: dict[str, dict[str, str]],
) -> None:
    assert (found[student]["softmax"] or 0) < maxima["softmax"]
    assert float(rows[student]["score"]) == sum(score or 0 for score in found[student].values())


def test_B51_names_with_commas_and_quotes_come_back_whole(rows: dict[str, dict[str, str]]) -> None:
    assert rows["00007"]["last_name"] == "Lee, Jr."
    assert rows["7"]["last_name"] == 'O"Neil'
    assert rows["O'Neil"]["last_name"] == "'=cmd"  # no spreadsheet runs it
    assert rows["学生-李"]["first_name"] == "李"


@pytest.mark.parametrize("student", ["B56_empty", "broken"])
def test_B56_what_cannot_be_graded_is_named_with_a_way_out(
    student: str, course: Path, found: dict[str, dict[str, float | None]],
    rows: dict[str, dict[str, str]],
) -> None:  # fmt: skip
    assert rows[student]["score"] == ""
    assert rows[student]["note"]
    assert set(found[student].values()) == {0.0}
    page = (course / "feedback" / student / "attention" / "attention.html").read_text("utf-8")
    assert "Hand it in again as attention.ipynb" in page
    assert student in (course / "said.txt").read_text("utf-8")


@pytest.mark.parametrize("student", ["B82_bom", "B84_two"])
def test_a_notebook_with_a_BOM_or_beside_another_is_graded(
    student: str, found: dict[str, dict[str, float | None]]
) -> None:
    assert sum(score or 0 for score in found[student].values()) == FULL


def test_B05_a_flood_is_kept_small_when_it_is_stored(course: Path) -> None:
    path = course / "autograded" / "B05_flood" / "attention" / "attention.ipynb"
    assert path.stat().st_size < 2**20
    assert re.search(r"truncated|\[…\]", path.read_text("utf-8"))


def test_B53_a_time_limit_is_told_with_exercise_and_limit(course: Path) -> None:
    page = (course / "feedback" / "B01_loop" / "attention" / "attention.html").read_text("utf-8")
    assert re.search(r"Stopped: a call of `softmax` ran longer than \d+ s", page)


def test_B04_B44_B83_what_was_mended_is_said_in_the_notebook(course: Path) -> None:
    def top(student: str) -> str:
        path = course / "autograded" / student / "attention" / "attention.ipynb"
        return "".join(json.loads(path.read_text("utf-8"))["cells"][0]["source"])

    assert "grade_softmax stands 2 times" in top("B04_copied_grade_cell")
    assert "put back: grade_softmax" in top("B44_no_grade_cell")
    assert "grade_softmax is locked" in top("edited")
    assert "softmax had become another kind" in top("as_text")
    assert "grade_softmin is not part" in top("B73_other_release")


def test_B23_no_marker_is_touched_and_no_process_is_left(course: Path) -> None:
    assert not list(course.rglob("marker"))
    if Path("/proc").is_dir():
        lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if _mine(path)]
        assert not [line for line in lines if str(course).encode() in line]


def _mine(path: Path) -> bool:
    try:
        return path.owner() != ""
    except (OSError, KeyError):
        return False


def test_the_same_scores_stand_in_results_json_and_in_the_gradebook(
    course: Path, found: dict[str, dict[str, float | None]]
) -> None:
    results = json.loads((course / "results.json").read_text("utf-8"))["submissions"]
    graded = {each["id"]: each for each in results if each["status"] == "graded"}
    assert len(graded) == len(CASES) + len(IDS) + 3
    for student, each in graded.items():
        assert {e["exercise"]: e["score"] for e in each["exercises"]} == found[student]


def test_attn_grade_gives_the_same_check_by_check(course: Path, tmp_path: Path) -> None:
    some = ["a_right", "B04_copied_answer_below", "B26_exit", "B85_split", "B72_renamed"]
    folders = []
    for student in some:
        link = tmp_path / "class" / student
        link.mkdir(parents=True)
        data = (course / "submitted" / student / "attention" / "attention.ipynb").read_bytes()
        (link / "attention.ipynb").write_bytes(data)
        folders.append(link)
    done = attn("grade", tmp_path / "class", "--out", tmp_path / "out", "--no-html")
    assert done.returncode == 0, done.stderr
    theirs = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))["submissions"]
    ours = json.loads((course / "results.json").read_text("utf-8"))["submissions"]
    here = {each["id"]: _told(each) for each in ours}
    assert {each["id"]: _told(each) for each in theirs} == {each: here[each] for each in some}


def _told(submission: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [
        (exercise["exercise"], check["check"], check["status"], check["score"], check["finding"])
        for exercise in submission["exercises"]
        for check in exercise["checks"]
    ]


def test_B60_B71_a_broken_resubmission_leaves_no_old_mark_under_the_new_time(course: Path) -> None:
    student = "z_right"
    hand_in(course, student, {"attention.ipynb": b"{", "timestamp.txt": b"2030-01-02 03:04:05 UTC"})
    done = run("nbgrader", "autograde", "attention", "--student", student, "--force", cwd=course)
    assert done.returncode == 0, done.stderr
    assert set(points(course)[student].values()) == {0.0}
    done = attn("course", "report", "--no-feedback", "--course", course)
    assert done.returncode == 0, done.stderr
    with (course / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        [row] = [row for row in csv.DictReader(file) if row["id"] == student]
    assert (row["status"], row["score"]) == ("unreadable", "")
    assert row["submitted_utc"] == "2030-01-02 03:04:05"
    assert row["earlier_score"].startswith("100 ")
