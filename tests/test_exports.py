"""Exports: each file as its reader publishes it, and nothing in it that a student must not read."""

from __future__ import annotations

import base64
import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from classroom import plan, write
from click.testing import CliRunner
from small_kit import small_kit

from autograder import batch
from autograder.cli import main
from autograder.course.roster import Student, read_roster
from autograder.exercise import read_kit
from autograder.export import canvas, exercism, github_classroom, gradescope, junit, moodle, plain
from autograder.export.entries import BOM, Entry, Gradebook, gradebook, safe, unsafe
from autograder.export.formats import FORMATS, SINGLE, ExportError
from autograder.export.formats import write as export
from autograder.results import (
    CheckResult,
    Results,
    exercise_result,
    graded,
    not_graded,
    write_atomically,
)

SECRET = "ZQX_HIDDEN"

# Field lists as published by each system, as schemas; nothing else may stand in a file.
GRADESCOPE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["score", "tests"],
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "test_output_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "test_name_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]},
        "stdout_visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]},
        "extra_data": {"type": "object"},
        "leaderboard": {"type": "array"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "name_format": {"type": "string"},
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": {"type": "string"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "visibility": {"enum": ["visible"]},
                    "extra_data": {"type": "object"},
                },
            },
        },
    },
}
EXERCISM = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "status", "tests"],
    "properties": {
        "version": {"const": 3},
        "status": {"enum": ["pass", "fail", "error"]},
        "message": {"type": ["string", "null"]},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "status", "test_code"],
                "properties": {
                    "name": {"type": "string"},
                    "status": {"enum": ["pass", "fail", "error"]},
                    "message": {"type": ["string", "null"]},
                    "output": {"type": ["string", "null"], "maxLength": 500},
                    "test_code": {"type": "string"},
                    "task_id": {"type": "integer"},
                },
            },
        },
    },  # What its site shows of each: the message alone, or the tests alone.
    "if": {"properties": {"status": {"const": "error"}}},
    "then": {
        "required": ["message"],
        "properties": {
            "message": {"type": "string", "minLength": 1, "maxLength": 65535},
            "tests": {"maxItems": 0},
        },
    },
    "else": {"properties": {"message": {"type": "null"}, "tests": {"minItems": 1}}},
}
GITHUB = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "status", "max_score", "tests"],
    "properties": {
        "version": {"const": 1},
        "status": {"enum": ["pass", "fail", "error"]},
        "max_score": {"type": "number"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "name": {"type": "string"},
                    "status": {"enum": ["pass", "fail", "error"]},
                    "score": {"type": "number"},
                    "message": {"type": "string"},
                    "test_code": {"type": "string"},
                    "filename": {"type": "string"},
                    "line_no": {"type": "integer"},
                    "duration": {"type": "number"},
                },
            },
        },
    },
}


def check(name: str, status: str = "passed") -> CheckResult:
    right = status == "passed"
    message = None if right else "Rows do not sum to 1 — which axis?"
    return CheckResult(
        name,
        f"Title of {name}",
        status,  # type: ignore[arg-type]
        2.0 if right else 0.0,
        2.0,
        message,
        None if right else "SM-AXIS0",
        {"hidden": SECRET},
    )


@pytest.fixture
def results() -> Results:
    softmax = exercise_result(
        "softmax",
        [check("shape"), check("rows", "failed"), check("later", "skipped")],
        findings=["SM-AXIS0"],
        detail={"hidden": SECRET},
    )
    heads = exercise_result("heads", [check("split", "error"), check("slow", "timeout")])
    full = exercise_result("softmax", [check("shape"), check("rows"), check("later")])
    both = exercise_result("heads", [check("split"), check("slow")])
    return Results(
        "0.1.0",
        ("L2",),
        (
            graded("00429", ["softmax.py"], [softmax, heads], printed="x" * 900 + "\x00\x1b"),
            graded("7", ["softmax.py"], [full, both]),
            not_graded("o'neil", ["a.ipynb"], "unreadable", 10.0, notice="It breaks off."),
        ),
    )


@pytest.fixture
def book(results: Results) -> Gradebook:
    return gradebook(results)


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix(BOM), newline="")))


@pytest.mark.parametrize("place", [0, 1, 2])
def test_json_formats_fit_their_published_fields(book: Gradebook, place: int) -> None:
    entry = book.entries[place]
    jsonschema.validate(gradescope.tree(entry), GRADESCOPE)
    jsonschema.validate(exercism.tree(entry), EXERCISM)
    line = github_classroom.render(entry)
    assert line.startswith("result=") and line.count("\n") == 1
    jsonschema.validate(json.loads(base64.b64decode(line[7:])), GITHUB)


def test_exercism_calls_it_an_error_when_python_cannot_read_the_file(tmp_path: Path) -> None:
    home, broken = small_kit(tmp_path / "kit"), "def twice(x)\n    return x\n"
    write(tmp_path / "class" / "broken", {"twice.py": broken})
    write(tmp_path / "class" / "both", {"twice.py": broken, "quadruple.py": "class Quadruple\n"})
    write(tmp_path / "class" / "stub", {"twice.py": "def twice(x):\n    raise NotImplementedError"})
    write(tmp_path / "class" / "wrong", {"twice.py": "def twice(x):\n    return 42\n"})
    done = batch.grade(read_kit(home), plan(tmp_path / "class", tmp_path / "out", html=False))
    trees = {each.id: exercism.tree(each) for each in gradebook(done).entries}
    for tree in trees.values():
        jsonschema.validate(tree, EXERCISM)
    assert trees["broken"]["status"] == "error"
    assert trees["broken"]["message"].startswith("Python cannot read twice.py: look at line 1")
    assert trees["both"]["status"] == "error"
    assert [line.split(":")[0] for line in trees["both"]["message"].split("\n\n")] == [
        "twice",
        "quadruple",
    ]
    assert (trees["stub"]["status"], trees["wrong"]["status"]) == ("fail", "fail")


def test_scores_stay_the_same_in_every_format(book: Gradebook) -> None:
    entry = book.entries[0]
    tree = gradescope.tree(entry)
    assert tree["score"] == sum(test["score"] for test in tree["tests"]) == entry.score == 2.0
    assert exercism.tree(entry)["status"] == "fail"
    assert exercism.tree(book.entries[1])["status"] == "pass"
    assert exercism.tree(book.entries[2]) == {
        "version": 3,
        "status": "error",
        "message": "It breaks off.",
        "tests": [],
    }


COUNTS = (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))


def test_junit_holds_counts_that_are_those_of_its_cases(book: Gradebook) -> None:
    root = ElementTree.fromstring(junit.render(book.all))
    assert root.tag == "testsuites"
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.get("tests", "")) == len(cases)
        for attribute, tag in (
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ):
            assert int(suite.get(attribute, "")) == sum(c.find(tag) is not None for c in cases)
        assert all(
            case.get("classname") and case.get("name") and case.get("time") for case in cases
        )
        assert all(len(case) <= 1 for case in cases)


def test_junit_takes_signs_that_xml_cannot_hold() -> None:
    odd = graded("a\x00b\ud800", ["x"], [exercise_result("softmax", [check("shape")])])
    ElementTree.fromstring(junit.render([Entry(odd.id, submission=odd)]))


def test_canvas_has_its_columns_and_the_row_of_points(book: Gradebook) -> None:
    head, possible, *rows = rows_of(canvas.render(book))
    assert head[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert possible[0].strip() == "Points Possible" and possible[-1] == "10"
    assert [(row[2], row[5]) for row in rows] == [("00429", "2"), ("7", "10"), ("o'neil", "")]


@pytest.mark.parametrize("format", FORMATS)
def test_no_format_tells_what_is_for_the_instructor(
    format: str, results: Results, tmp_path: Path
) -> None:
    book = gradebook(results)
    out = tmp_path / "out"
    for path in export(book, format, out):
        data = path.read_bytes()
        if format == "github-classroom":
            data = base64.b64decode(data[7:])
        assert SECRET.encode() not in data and b"hidden" not in data.replace(b'y": "hidden"', b"")


def test_one_file_a_hand_in_goes_into_a_folder(results: Results, tmp_path: Path) -> None:
    book = gradebook(results)
    for format in SINGLE:
        assert len(export(book, format, tmp_path / format)) == 3
        (single,) = export(book, format, tmp_path / f"{format}.one", submission="7")
        assert single == tmp_path / f"{format}.one"
    with pytest.raises(ExportError, match="'nobody'"):
        export(book, "gradescope", tmp_path / "x", submission="nobody")
    with pytest.raises(ExportError, match="whole class"):
        export(book, "canvas", tmp_path / "x", submission="7")


def test_command_says_which_files_it_wrote(results: Results, tmp_path: Path) -> None:
    write_atomically(tmp_path / "results.json", results)
    out = tmp_path / "grades.csv"
    done = CliRunner().invoke(main, ["export", "csv", str(tmp_path), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert str(out) in done.output.replace("\n", "") and out.read_bytes().startswith(
        b"\xef\xbb\xbf"
    )


@pytest.mark.parametrize("text", [None, "{", '{"schema": 2}'])
def test_exit_is_2_when_there_are_no_results(text: str | None, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "results.json").write_text(text, "utf-8")
    for call in (["report"], ["compare", str(tmp_path)], ["export", "csv", "--out", "x.csv"]):
        done = CliRunner().invoke(main, [*call, str(tmp_path)])
        assert done.exit_code == 2 and "results.json" in done.output


# ---- Reported faults ----------------------------------------------------------------------------


def test_nobody_is_listed_without_a_class_list(results: Results) -> None:
    ids = [Student(each.id) for each in results.submissions][1:]
    for roster, wanted in ((None, {""}), (ids, {"yes", "no"}), ([], {"no"})):
        head, *found = rows_of(plain.wide(gradebook(results, roster)))
        assert {row[head.index("listed")] for row in found} == wanted


TABLES = {"csv": plain.wide, "moodle": moodle.render, "canvas": canvas.render}
IDS = ["00007", "7", "0007", "1e5", "12345678901234567890", "=1+1", "TRUE"]


def class_of(ids: list[str]) -> Results:
    found = [graded(each, ["x"], [exercise_result("softmax", [check("shape")])]) for each in ids]
    return Results("0.1.0", ("L2",), tuple(found))


@pytest.mark.parametrize(
    "render", [plain.wide, moodle.render, canvas.render], ids=lambda f: f.__module__
)
def test_B32_ids_are_text_and_none_is_a_formula(render) -> None:
    rows = rows_of(render(gradebook(class_of(IDS))))
    cells = [row[2 if render is canvas.render else 0] for row in rows][-len(IDS) :]
    assert [unsafe(cell) for cell in cells] == IDS
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)


def test_B32_ids_that_look_alike_are_told_and_not_guessed(tmp_path: Path) -> None:
    write_atomically(tmp_path / "results.json", class_of(["7"]))
    (tmp_path / "roster.csv").write_text("id\n" + "\n".join(IDS) + "\n", "utf-8")
    call = ["export", "csv", str(tmp_path), "--out", str(tmp_path / "o.csv")]
    done = CliRunner().invoke(main, [*call, "--roster", str(tmp_path / "roster.csv")])
    assert "'00007' and" in done.output.replace("\n", " ")
    rows = rows_of((tmp_path / "o.csv").read_text("utf-8"))
    assert [unsafe(row[0]) for row in rows[1:]] == IDS
    assert [row[0] for row in rows[1:] if row[6]] == ["7"]


NAMES = ["Lee, Jr.", 'O"Neil', "two\nlines", "Müller", "李", "trailing "]


@pytest.mark.parametrize(
    "render", [plain.wide, moodle.render, canvas.render], ids=lambda f: f.__module__
)
def test_B51_names_with_commas_quotes_and_lines_shift_nothing(render) -> None:
    roster = [Student(f"s{place}", "A", name) for place, name in enumerate(NAMES)]
    book = gradebook(class_of([each.id for each in roster]), roster, title='Lab 1, "heads"')
    rows = rows_of(render(book))
    assert len({len(row) for row in rows}) == 1
    assert all(
        any(name in cell for cell in row) for name, row in zip(NAMES, rows[-6:], strict=True)
    )
    assert any('Lab 1, "heads"' in cell for cell in rows[0]) or render is plain.wide


def test_B51_excel_finds_utf8_by_its_mark() -> None:
    book = gradebook(class_of(["李"]))
    assert plain.wide(book).startswith(BOM) and moodle.render(book).startswith(BOM)
    assert safe("-1") == "'-1" and safe("'-1") == "'-1" and safe("plain") == "plain"


@pytest.mark.parametrize("cell", ["\n=1", "＝1", "＋1", "－1", "＠a"])
def test_what_some_spreadsheet_takes_for_a_formula_is_none(cell: str) -> None:
    assert safe(cell) == f"'{cell}" and unsafe(safe(cell)) == cell


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--late", "10%/day"], "--late needs --times"),
        (["--times", "t.csv"], "no column due"),
        (["--due", "2026-11-29"], "--due needs --times"),
    ],
)
def test_a_late_rule_that_cannot_work_is_refused(
    options: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_atomically(tmp_path / "results.json", class_of(["7"]))
    Path("t.csv").write_text("id,submitted\n7,2026-12-01 10:00\n", "utf-8")
    done = CliRunner().invoke(main, ["export", "csv", ".", "--out", "o.csv", *options])
    assert done.exit_code == 2 and said in done.output, done.output


def test_who_cannot_be_matched_is_told_with_who_looks_like_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_atomically(tmp_path / "results.json", class_of(["7", "x"]))
    Path("r.csv").write_text("id\n007\nx\n", "utf-8")
    Path("t.csv").write_text("id,submitted\n07,2026-12-01 10:00\nzoe,2026-12-01 10:00\n", "utf-8")
    call = ["export", "csv", ".", "--out", "o.csv", "--roster", "r.csv", "--times", "t.csv"]
    done = CliRunner().invoke(main, [*call, "--due", "2026-11-29 23:59"])
    assert "'7' handed in and is not on the class list; '007' there looks like it." in done.stderr
    assert "names '07', who did not hand in; '7' looks like it." in done.stderr
    assert "names 'zoe', who did not hand in." in done.stderr


@pytest.mark.parametrize("text", ["id,last_name\nfull,李\n", "id,last_name\nfull,欧阳娜\n"])
def test_B35_a_list_as_excel_saves_it_in_china_keeps_its_names(text: str, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_bytes(text.encode("gb18030"))
    (tmp_path / "w.csv").write_bytes("id,last_name\nfull,Müßiggänger é\n".encode("cp1252"))
    assert read_roster(tmp_path / "r.csv")[0].last_name == text.split(",")[-1].strip()
    assert read_roster(tmp_path / "w.csv")[0].last_name == "Müßiggänger é"


def exported(folder: Path, name: str, out: str) -> subprocess.CompletedProcess[str]:
    call = ["-m", "autograder", "export", name, str(folder), "--out", out]
    kit = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    return subprocess.run(
        [sys.executable, *call], capture_output=True, encoding="utf-8-sig", cwd=folder, env=kit
    )


@pytest.mark.parametrize(
    "out",
    [
        pytest.param(
            "/dev/stdout",
            marks=pytest.mark.skipif(os.name != "posix", reason="devices of POSIX"),
        ),
        "-",
    ],
)
def test_an_export_to_standard_output_is_nothing_but_the_export(out: str, tmp_path: Path) -> None:
    write_atomically(tmp_path / "results.json", class_of(["7"]))
    done = exported(tmp_path, "csv", out)
    assert [row[0] for row in csv.reader(io.StringIO(done.stdout))] == ["id", "7"], done.stderr
    assert json.loads(exported(tmp_path, "exercism", out).stdout)["version"] == 3
    assert [each.name for each in tmp_path.iterdir()] == ["results.json"]
    assert os.name != "posix" or Path("/dev/stdout").is_symlink()


def test_many_files_do_not_go_to_standard_output(tmp_path: Path) -> None:
    write_atomically(tmp_path / "results.json", class_of(["7", "8"]))
    done = exported(tmp_path, "exercism", "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "one file a hand-in" in done.stderr and "Traceback" not in done.stderr


def test_a_place_that_cannot_be_written_is_no_fault_of_the_kits(tmp_path: Path) -> None:
    write_atomically(tmp_path / "results.json", class_of(["7"]))
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "y").touch()
    out = tmp_path / "x"
    done = CliRunner().invoke(main, ["export", "csv", str(tmp_path), "--out", str(out)])
    assert done.exit_code == 3 and done.output.replace("\n", " ").startswith("attn: Is a directory")
    assert f"{out}" in done.output and ".new" not in done.output


ROSTER = [Student(each) for each in ("full", "half", "empty", "absent", "later", "first")]


def six() -> Results:
    def hand_in(id: str, *statuses: str):
        return graded(
            id,
            ["x"],
            [exercise_result("softmax", [check(s + str(i), s) for i, s in enumerate(statuses)])],
        )

    return Results(
        "0.1.0",
        ("L2",),
        (
            hand_in("full", "passed", "passed"),
            hand_in("half", "passed", "failed"),
            not_graded("empty", [], "empty", 4.0),
            hand_in("later", "failed", "failed"),
            hand_in("unknown", "passed", "passed"),
        ),
    )


@pytest.mark.parametrize(("missing", "none"), [("blank", ""), ("zero", "0")])
def test_B30_who_did_not_hand_in_has_a_row_and_no_column_moves(missing: str, none: str) -> None:
    book = gradebook(six(), ROSTER, missing=missing)  # type: ignore[arg-type]
    head, *rows = rows_of(plain.wide(book))
    assert len(rows) == 7 and {len(row) for row in rows} == {len(head)}
    told = {row[0]: (row[4], row[5], row[6]) for row in rows}
    assert told["full"] == ("yes", "graded", "4") and told["half"] == ("yes", "graded", "2")
    assert told["later"] == ("yes", "graded", "0")
    assert told["absent"] == ("yes", "none", none) and told["empty"] == ("yes", "empty", none)
    assert told["unknown"][0] == "no"
    assert [entry.id for entry in book.unknown] == ["unknown"]
    assert len(rows_of(canvas.render(book))) == 2 + 6, "an unknown student is not Canvas' business"


def test_B35_one_list_from_every_way_to_save_it(tmp_path: Path) -> None:
    write_atomically(tmp_path / "results.json", six())
    plain_list = "id,first_name,last_name,email\nfull,A,Ü,a@x\nhalf,B,L,b@x\n"
    shapes = {
        "bom": ("\ufeff" + plain_list).encode(),
        "crlf": plain_list.replace("\n", "\r\n").encode(),
        "semicolon": plain_list.replace(",", ";").encode(),
        "cp1252": plain_list.encode("cp1252"),
        "spaces": plain_list.replace(",", " , ").encode(),
        "case": plain_list.replace("id,first", "ID,First").encode(),
        "blank lines": plain_list.replace("\nhalf", "\n\n\nhalf").encode(),
        "more": plain_list.replace("email\n", "email,group\n").replace("x\n", "x,1\n").encode(),
    }
    texts = set()
    for name, data in shapes.items():
        (tmp_path / f"{name}.csv").write_bytes(data)
        out = tmp_path / f"{name}.out"
        call = ["export", "moodle", str(tmp_path), "--out", str(out), "--roster"]
        CliRunner().invoke(main, [*call, str(tmp_path / f"{name}.csv")])
        texts.add(out.read_bytes())
    assert len(texts) == 1 and "Ü" in texts.pop().decode()


def test_B35_a_double_id_takes_nothing_over(tmp_path: Path) -> None:
    write_atomically(tmp_path / "results.json", six())
    (tmp_path / "r.csv").write_text("id\nfull\nhalf\nfull\n", "utf-8")
    call = ["export", "csv", str(tmp_path), "--out", str(tmp_path / "o.csv")]
    done = CliRunner().invoke(main, [*call, "--roster", str(tmp_path / "r.csv")])
    assert done.exit_code == 2 and "line 4" in done.output and not (tmp_path / "o.csv").exists()
