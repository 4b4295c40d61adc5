"""The course's parts that need no nbgrader: class lists, places, mending, collecting, sheets."""

from __future__ import annotations

import csv
import datetime
import io
import json
import os
import signal
import zipfile
from pathlib import Path
from typing import Any

import pytest

from autograder.course import mend, place, roster, sheet, sidebyside
from autograder.course.collect import Collector
from autograder.course.roster import RosterError, Student, parse_roster
from autograder.folder import OnDisk
from autograder.handin import Found

KIT = Path(__file__).resolve().parent.parent
EXPECTED = [
    mend.Expected("imports", "code", "import x", "c0", True, False, False),
    mend.Expected("softmax", "code", "stub", "c1", False, False, True),
    mend.Expected("grade_softmax", "code", 'grade("softmax")', "c2", True, True, False, 8.0),
]


# -- class lists (B32, B35, B36) --------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "id,first_name,last_name,email\n007,Ann,Lee,a@x\n7,Bo,Kim,b@x\n",
        "\ufeffid,first_name,last_name,email\r\n007,Ann,Lee,a@x\r\n7,Bo,Kim,b@x\r\n",
        "ID;First Name;Last Name;E-Mail\n\n 007 ;Ann;Lee;a@x\n7;Bo;Kim;b@x\n\n",
        'student_id\tlast_name\tfirst_name\temail\textra\n007\tLee\t"Ann"\ta@x\t\n'
        "7\tKim\tBo\tb@x\tq\n",
    ],
    ids=["plain", "bom-crlf", "semicolons", "tabs-extra"],
)
def test_B35_the_same_students_come_out_however_the_list_was_saved(text: str) -> None:
    assert parse_roster(text) == [
        Student("007", "Ann", "Lee", "a@x"),
        Student("7", "Bo", "Kim", "b@x"),
    ]


def test_B32_ids_stay_text_when_they_look_like_numbers() -> None:
    ids = ["00007", "7", "0007", "1e5", "12345678901234567890", "=1+1", "TRUE"]
    text = "id\n" + "\n".join(ids)
    assert [each.id for each in parse_roster(text)] == ids


def test_B32_a_likely_slip_is_named_and_not_guessed() -> None:
    assert roster.near("7", ["00007", "8"]) == "00007"
    assert roster.near("9", ["00007", "8"]) is None


def test_B35_nothing_is_taken_over_when_lines_are_wrong() -> None:
    with pytest.raises(RosterError) as caught:
        parse_roster("id,email\na,x\nA,y\n,z\nb,1,2\n")
    said = str(caught.value)
    assert "nothing was taken over" in said
    for part in ("line 3", "line 4: there is no id", "line 5: 3 cells"):
        assert part in said


def test_B35_a_western_code_page_is_read(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_bytes("id,last_name\nm1,Müller\n".encode("cp1252"))
    assert roster.read_roster(path)[0].last_name == "Müller"


@pytest.mark.parametrize(
    "student",
    ["dom\\u1", "a/b", "..", "con", "CON.txt", "-rf", "a*", "a\nb", "", "x" * 200, "e\u0301"],
)
def test_B36_an_id_that_cannot_be_a_folder_is_refused(student: str) -> None:
    assert roster.id_problem(student) is not None


@pytest.mark.parametrize("student", ["a b", "x@uni.edu", "学生-李", "é", "O'Neil", "A1", "🙂"])
def test_B36_an_id_that_can_be_a_folder_is_taken(student: str) -> None:
    assert roster.id_problem(student) is None


def test_B36_ids_never_share_a_file_when_case_is_not_told_apart() -> None:
    names = [place.quoted(each).casefold() for each in ("A1", "a1", "ä", "a b", "a_b", "%41.1")]
    assert len(set(names)) == len(names)


# -- sheets (B51) -----------------------------------------------------------------------------


def test_B51_every_cell_comes_back_when_it_is_read_as_csv() -> None:
    row = ["Lee, Jr.", 'O"Neil', "line\nbreak", "trail ", "Müller", "李", 2.5, None]
    [back] = csv.reader(io.StringIO(sheet.lines([row]), newline=""))
    assert back == ["Lee, Jr.", 'O"Neil', "line\nbreak", "trail ", "Müller", "李", "2.5", ""]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1"])
def test_no_spreadsheet_takes_text_for_a_formula(text: str) -> None:
    assert sheet.cell(text) == f"'{text}"


# -- mending (B04, B44, B61, B73, B83, B85) ---------------------------------------------------


def book(*cells: dict[str, Any]) -> bytes:
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4}).encode()


def code(source: str, grade_id: str | None = None, kind: str = "code") -> dict[str, Any]:
    metadata = {} if grade_id is None else {"nbgrader": {"grade_id": grade_id, "points": 99}}
    return {"cell_type": kind, "source": source, "metadata": metadata}


def ids(made: mend.Mended) -> list[str | None]:
    return [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in made.cells]


RIGHT = (code("import x", "imports"), code("mine", "softmax"), code("8.0", "grade_softmax"))


def test_a_whole_notebook_gets_the_released_metadata_and_locked_text() -> None:
    made = mend.mended(book(*RIGHT), EXPECTED)
    assert ids(made) == ["imports", "softmax", "grade_softmax"]
    assert made.cells[1]["source"] == "mine"
    assert made.cells[2]["source"] == 'grade("softmax")'
    assert made.cells[2]["metadata"]["nbgrader"]["points"] == 8.0
    assert made.notices == [("edited-cell", {"name": "grade_softmax"})]


def test_B04_of_copies_the_last_that_was_written_counts() -> None:
    made = mend.mended(book(*RIGHT, code("new", "softmax"), code("stub", "softmax")), EXPECTED)
    assert ids(made) == ["imports", None, "grade_softmax", "softmax", None]


@pytest.mark.parametrize(
    "data",
    [None, b"", b"{", b"[]", b'{"cells": 3}', b"\xff\xfe\0", b"[" * 100_000, book(), b"null"],
    ids=["none", "empty", "open", "list", "number", "binary", "deep", "no-cells", "null"],
)
def test_B44_everything_is_put_back_when_nothing_can_be_read(data: bytes | None) -> None:
    made = mend.mended(data, EXPECTED)
    assert ids(made) == ["imports", "softmax", "grade_softmax"]
    assert made.notices == []


def test_B44_a_missing_cell_is_put_back_behind_the_one_before_it() -> None:
    made = mend.mended(book(code("x"), RIGHT[0], RIGHT[1], code("y")), EXPECTED)
    assert ids(made) == [None, "imports", "softmax", "grade_softmax", None]
    assert ("missing-cell", {"names": "grade_softmax"}) in made.notices


@pytest.mark.parametrize(
    "cell",
    [
        {"cell_type": "code", "source": {"a": 1}, "metadata": []},
        {"cell_type": 7, "source": ["a", 3], "metadata": {"nbgrader": "x"}},
        {"metadata": {"nbgrader": {"grade_id": ["softmax"]}}},
        {"cell_type": "code", "source": "\ud800", "metadata": None},
    ],
    ids=["dict-source", "odd-kind", "list-id", "surrogate"],
)
def test_B61_an_odd_cell_becomes_an_ordinary_one(cell: dict[str, Any]) -> None:
    made = mend.mended(book(*RIGHT, cell), EXPECTED)
    last = made.cells[-1]
    assert isinstance(last["source"], str)
    assert last["cell_type"] in ("code", "markdown", "raw")
    last["source"].encode("utf-8")


def test_B73_a_cell_of_another_release_is_run_and_not_graded() -> None:
    made = mend.mended(book(*RIGHT, code("grade('gone')", "grade_gone")), EXPECTED)
    assert ids(made)[-1] is None
    assert ("unknown-cell", {"name": "grade_gone"}) in made.notices


# -- collecting (B02, B19, B28, B38) ----------------------------------------------------------

STUDENTS = [
    Student("leeann", "Ann", "Lee"),
    Student("00123", "Bo", "Kim"),
    Student("di", "Di", "Fox"),
]


@pytest.fixture
def course(tmp_path: Path) -> place.Course:
    made = place.Course(tmp_path / "course", KIT)
    made.root.mkdir()
    return made


def zipped(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6)), text)
    return path


def handed(course: place.Course, student: str) -> dict[str, str]:
    folder = course.step("submitted", student)
    return {each.name: each.read_text("utf-8") for each in folder.iterdir()}


def test_B38_each_platform_s_name_leads_to_the_student(
    course: place.Course, tmp_path: Path
) -> None:
    canvas = zipped(tmp_path / "canvas.zip", {"leeann_LATE_123_456_attention-1.ipynb": "{}"})
    moodle = zipped(
        tmp_path / "moodle.zip", {"Bo Kim_123_assignsubmission_file_/attention.ipynb": "{}"}
    )
    board = zipped(
        tmp_path / "board.zip",
        {"HW1_di_attempt_2026-01-02-03-04-05_attention.ipynb": "{}"},
    )
    done = Collector(course, STUDENTS).collect([canvas, moodle, board])
    assert [each.outcome for each in done.taken] == ["collected"] * 3
    assert done.missing == ()
    assert set(handed(course, "di")) == {"attention.ipynb", "timestamp.txt"}
    assert handed(course, "di")["timestamp.txt"] == "2026-01-02 03:04:05 UTC"


def test_B38_nobody_is_guessed(course: place.Course, tmp_path: Path) -> None:
    students = [Student("a1", "Ann", "Lee"), Student("a2", "Ann", "Lee")]
    path = zipped(tmp_path / "c.zip", {
        "leeann_1_2_attention.ipynb": "{}", "kim_3_4_attention.ipynb": "{}",
    })  # fmt: skip
    done = Collector(course, students).collect([path])
    assert [each.outcome for each in done.taken] == ["unmatched", "unmatched"]
    notes = " ".join(each.note for each in done.taken)
    assert "may be a1 or a2" in notes
    assert "not in the class list" in notes
    assert done.missing == ("a1", "a2")


def test_B28_the_newest_whole_attempt_stands_and_the_old_one_is_kept(
    course: place.Course, tmp_path: Path
) -> None:
    def attempt(day: int, text: str) -> str:
        path = zipped(
            tmp_path / f"{day}-{len(text)}.zip",
            {f"HW_di_attempt_2026-01-{day:02}-00-00-00_attention.ipynb": text},
        )
        [taken] = Collector(course, STUDENTS).collect([path]).taken
        return taken.outcome

    assert attempt(2, '{"cells": []}') == "collected"
    assert attempt(2, '{"cells": []}') == "same"
    assert attempt(1, "{}") == "older"
    assert attempt(3, '{"cells": [1]}') == "collected"
    assert handed(course, "di")["attention.ipynb"] == '{"cells": [1]}'
    kept = course.root / ".attn" / "attempts" / "di" / "001" / "attention.ipynb"
    assert kept.read_text("utf-8") == '{"cells": []}'


def test_answers_to_the_quiz_come_into_the_course_with_the_work(
    course: place.Course, tmp_path: Path
) -> None:
    slip = '{"receipt": "-",\n "quiz": "first=0.17 rows=b"}'
    files = {"softmax.py": "x = 1\n", "handin.json": slip}
    (tmp_path / "down").mkdir()
    zipped(tmp_path / "down" / "ann.zip", files)
    Collector(course, []).collect([tmp_path / "down"])
    folder = course.step("submitted", "ann")
    found = Found("ann", course.kit().ids, [("", OnDisk.at(folder), "ann")]).read()
    assert dict(found.quiz) == {"first": "0.17", "rows": "b"}


def test_B71_what_cannot_be_read_never_replaces_what_could(
    course: place.Course, tmp_path: Path
) -> None:
    good = zipped(tmp_path / "1.zip", {"foxdi_1_2_attention.ipynb": "{}"})
    Collector(course, STUDENTS).collect([good])
    inner = tmp_path / "2.zip"
    zipped(inner, {"foxdi_1_3_hw.zip": "no zip at all"})
    done = Collector(course, STUDENTS).collect([inner])
    assert [each.outcome for each in done.troubled] == ["unreadable"]
    assert handed(course, "di")["attention.ipynb"] == "{}"


def test_what_is_late_is_marked(course: place.Course, tmp_path: Path) -> None:
    due = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    path = zipped(tmp_path / "b.zip", {"HW_di_attempt_2026-01-02-00-00-00_attention.ipynb": "{}"})
    [taken] = Collector(course, STUDENTS, due).collect([path]).taken
    assert taken.late


def test_a_name_can_neither_take_another_s_place_nor_turn_back_the_clock(
    course: place.Course, tmp_path: Path
) -> None:
    old, due = "attempt_2020-01-01-00-00-00", datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    students = [*STUDENTS, Student("77", "Bo", "Kim")]
    for number, names in enumerate((
        (f"leeann_1_2_di_{old}_softmax.py", "kimbo_3_4_softmax.py"),
        (f"leeann_1_2_x_77_assignsubmission_file_{old}.py", "kimbo_3_4_softmax.py"),
        (f"HW_ann_attempt_2026-01-02-00-00-00_di_{old}_softmax.py",),
        ("leeann_1_2_x_attempt_2026-99-99-99-99-99_softmax.py", "kimbo_3_4_softmax.py"),
    )):  # fmt: skip
        path = zipped(tmp_path / f"{number}.zip", dict.fromkeys(names, "x = 1\n"))
        taken = Collector(course, students, due, dry=True).collect([path]).taken
        mine = next(each for each in taken if "1_2" in each.original or "HW" in each.original)
        assert mine.student not in ("di", "77"), mine
        assert mine.student is None or (mine.late and mine.time is not None)


def test_a_stamp_that_a_student_uploaded_is_not_the_platform_s(
    course: place.Course, tmp_path: Path
) -> None:
    folder = tmp_path / "all" / "Ann Lee_1_assignsubmission_file_"
    (tmp_path / "all" / "Bo Kim_2_assignsubmission_file_").mkdir(parents=True)
    folder.mkdir()
    (folder / "softmax.py").write_text("x = 1\n", "utf-8")
    (folder / "timestamp.txt").write_text("2020-01-01 00:00:00 UTC", "utf-8")
    due = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    taken = Collector(course, STUDENTS, due, dry=True).collect([tmp_path / "all"]).taken
    assert [each.late for each in taken if "Ann" in each.original] == [True]


def test_files_that_cannot_be_written_stop_nobody_else(
    course: place.Course, tmp_path: Path
) -> None:
    path = zipped(tmp_path / "b.zip", {
        "leeann_1_2_hw.zip": "", "foxdi_3_4_attention.ipynb": "{}",
    })  # fmt: skip
    inner = zipped(tmp_path / "inner.zip", {"a/b.py": "x", "timestamp.txt/a.py": "x = 1\n"})
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("foxdi_3_4_attention.ipynb", "{}")
        archive.writestr("leeann_1_2_hw.zip", inner.read_bytes())
    done = Collector(course, STUDENTS).collect([path])
    assert sorted(each.outcome for each in done.taken) == ["collected", "unreadable"]


def test_a_dry_run_writes_nothing(course: place.Course, tmp_path: Path) -> None:
    path = zipped(tmp_path / "b.zip", {"foxdi_1_2_attention.ipynb": "{}"})
    [taken] = Collector(course, STUDENTS, dry=True).collect([path]).taken
    assert taken.outcome == "collected"
    assert not course.step("submitted").exists()


# -- processes side by side -------------------------------------------------------------------


@pytest.mark.skipif(not sidebyside.can_fork(), reason="needs to fork")
def test_a_student_whose_process_is_killed_is_tried_after_the_others(tmp_path: Path) -> None:
    def do(student: str) -> str:
        mark = tmp_path / student
        if student.startswith("killed") and len(mark.read_text("utf-8")) < int(student[-1]):
            mark.write_text(mark.read_text("utf-8") + "x", "utf-8")
            os.kill(os.getpid(), signal.SIGKILL)
        return f"{student} done"

    def gone(student: str, times: int) -> str | None:
        return None if times < 2 else f"{student} gone"

    students = ["killed1", "a", "killed2", "b"]
    for each in students:
        (tmp_path / each).touch()
    told = list(sidebyside.side_by_side(students, do, gone, lambda: None, 2))
    assert sorted(told) == ["a done", "b done", "killed1 done", "killed2 gone"]
    assert set(told[:2]) == {"a done", "b done"}
