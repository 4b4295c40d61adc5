"""Marks after grading: set by hand, late, graded again. The score that was graded never changes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from classroom import plan, write
from click.testing import CliRunner
from small_kit import GRADER_TWICE, small_kit

from autograder import batch, late, overrides, regrade, results
from autograder.cli import main
from autograder.exercise import Kit, read_kit
from autograder.export.entries import gradebook
from autograder.export.html import Meta, student_page
from autograder.results import Results

SCHEMA = json.loads(Path(results.__file__).with_name("results.schema.json").read_text("utf-8"))
RIGHT = "def twice(x):\n    return x + x\n"
OFF = "def twice(x):\n    return x + x + 1\n"
FOURFOLD = """\
from twice import twice


class Quadruple:
    def __init__(self, times=2):
        self.times = times

    def forward(self, x):
        for _ in range(self.times):
            x = twice(x)
        return x
"""


@pytest.fixture
def small(tmp_path: Path) -> Kit:
    return read_kit(small_kit(tmp_path / "kit"))


@pytest.fixture
def two(tmp_path: Path) -> Path:
    home = tmp_path / "class"
    write(home / "ann", {"twice.py": RIGHT, "quadruple.py": FOURFOLD})
    write(home / "bob", {"twice.py": OFF, "quadruple.py": FOURFOLD})
    return home


def run(kit: Kit, home: Path, out: Path, **more: object) -> tuple[Results, list[regrade.Moved]]:
    told: list[regrade.Moved] = []
    found = batch.grade(kit, plan(home, out, html=False, moved=told.extend, **more))
    return found, told


def score(found: Results, id: str) -> float | None:
    return next(each.score for each in found.submissions if each.id == id)


# ---- By hand ------------------------------------------------------------------------------------


def mark(text: str) -> list[overrides.Override]:
    return overrides.parse("id,check,score,reason\n" + text)


def test_a_mark_by_hand_counts_and_says_why(small: Kit, two: Path, tmp_path: Path) -> None:
    marks = tuple(mark("bob,twice.values,1.5,shown in class\n"))
    found, _ = run(small, two, tmp_path / "out", overrides=marks)
    plainly, _ = run(small, two, tmp_path / "plain")
    assert score(found, "bob") == score(plainly, "bob") + 1.5  # type: ignore[operator]
    assert score(found, "ann") == score(plainly, "ann")
    text = (tmp_path / "out" / "results.json").read_text("utf-8")
    jsonschema.validate(json.loads(text), SCHEMA)
    assert results.read(tmp_path / "out" / "results.json") == found
    assert '"override": "shown in class"' in text
    [bob] = [each for each in found.submissions if each.id == "bob"]
    assert "Set by hand: shown in class" in student_page(bob, Meta("0"))


def test_a_mark_by_hand_is_gone_when_its_line_is(small: Kit, two: Path, tmp_path: Path) -> None:
    first, _ = run(small, two, tmp_path / "out")
    run(small, two, tmp_path / "out", overrides=tuple(mark("bob,twice.values,2,kind\n")))
    again, moved = run(small, two, tmp_path / "out")
    assert [each.score for each in again.submissions] == [each.score for each in first.submissions]
    assert [(each.id, each.reasons) for each in moved] == [("bob", ("override",))]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("eve,twice.values,1,x", "no hand-in 'eve'"),
        ("bob,twice.nothing,1,x", "no check 'twice.nothing'"),
        ("bob,twice.values,3,x", "has 2 points, not 3"),
        ("bob,twice.values,1,x\nbob,twice.values,2,x", "stands twice"),
    ],
)
def test_a_mark_that_cannot_be_set_stops_all(
    line: str, said: str, small: Kit, two: Path, tmp_path: Path
) -> None:
    with pytest.raises(overrides.OverrideError, match=said):
        run(small, two, tmp_path / "out", overrides=tuple(mark(line + "\n")))
    assert not (tmp_path / "out" / "results.json").exists()


@pytest.mark.parametrize(
    ("line", "before"),
    [
        ("eve,twice.values,1,x", True),
        ("bob,nothing.values,1,x", True),
        ("bob,twice.values,1,x\nbob,twice.values,2,x", True),
        ("bob,twice.nothing,1,x", False),
    ],
)
def test_a_mark_that_cannot_be_set_is_told_before_grading_where_it_can_be(
    line: str, before: bool, small: Kit, two: Path, tmp_path: Path
) -> None:
    with pytest.raises(overrides.OverrideError) as told:
        run(small, two, tmp_path / "out", overrides=tuple(mark(line + "\n")))
    assert (tmp_path / "out" / batch.JOURNAL).exists() is not before
    assert ("What is graded is kept" in str(told.value)) is not before


@pytest.mark.parametrize("text", ["bob,twice.values,NaN,x", "bob,twice.values,-1,x", "bob,t,1,"])
def test_a_line_of_marks_that_is_none_is_refused_with_its_number(text: str) -> None:
    with pytest.raises(overrides.OverrideError, match="line 2"):
        mark(text + "\n")


def test_marks_are_read_as_spreadsheets_save_them(tmp_path: Path) -> None:
    path = tmp_path / "marks.csv"
    path.write_bytes(b"\xef\xbb\xbfID;Check;Score;Reason\r\nbob;twice.values;1,5;seen\r\n")
    assert overrides.read(path) == [overrides.Override(2, "bob", "twice.values", 1.5, "seen")]


# ---- B48: late ----------------------------------------------------------------------------------

DAY = 86_400


@pytest.mark.parametrize(
    ("rule", "seconds", "taken"),
    [
        ("none", 3 * DAY, 0.0),
        ("zero", 1, 80.0),
        ("10%/day", 1, 8.0),
        ("10%/day", 3600, 8.0),
        ("10%/day", 3 * DAY, 24.0),
        ("10%/day", 30 * DAY, 80.0),
        ("10%/day, max 20%", 30 * DAY, 16.0),
        ("10%/day", 0, 0.0),
        ("10%/day", -5, 0.0),
    ],
)
def test_B48_a_penalty_equals_the_rule(rule: str, seconds: float, taken: float) -> None:
    assert late.parse_rule(rule).penalty(80.0, seconds) == pytest.approx(taken)
    assert late.parse_rule(rule).penalty(-3.0, seconds) == 0.0


def test_B48_a_moved_deadline_and_an_extension_count_anew(
    small: Kit, two: Path, tmp_path: Path
) -> None:
    found, _ = run(small, two, tmp_path / "out")
    path = tmp_path / "times.csv"
    path.write_text(
        "id,submitted,due\nann,2026-01-02 00:00:01,\nbob,2026-01-02T00:00:01Z,2026-02-01\n"
    )
    rule, times = late.parse_rule("10%/day"), late.read_times(path)

    def scores(due: str) -> dict[str, float | None]:
        off = late.penalties(found, late.seconds_late(times, late.parse_time(due)), rule)
        return {each.id: each.score for each in gradebook(found, penalties=off).entries}

    full = {each.id: each.score for each in found.submissions}
    assert scores("2026-01-02") == {**full, "ann": pytest.approx(0.9 * full["ann"])}  # type: ignore[operator]
    assert scores("2026-01-03") == full
    assert scores("2026-01-02") == scores("2026-01-02")
    assert {each.id: each.score for each in found.submissions} == full


@pytest.mark.parametrize("text", ["soon", "10", "10%/hour"])
def test_B48_a_rule_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(late.LateError, match="no rule"):
        late.parse_rule(text)


# ---- Graded again -------------------------------------------------------------------------------


def test_a_mended_grader_moves_whom_it_concerns_and_says_so(
    small: Kit, two: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run(small, two, out)
    grader = small.graders / "test_twice.py"
    grader.write_text(GRADER_TWICE.replace("@points(2)", "@points(5)"), "utf-8")
    new, moved = run(small, two, out)
    assert [(each.id, each.reasons) for each in moved] == [("ann", ("graders",))]
    [check] = moved[0].checks
    assert (check.name, check.before, check.after, check.change) == (
        "twice.values",
        "passed",
        "passed",
        3.0,
    )
    old = results.read(out / batch.PREVIOUS)
    assert [each.id for each in regrade.compare(old, new)] == ["ann"]
    said = CliRunner().invoke(
        main, ["compare", str(out / batch.PREVIOUS), str(out), "--lang", "en"]
    )
    assert "ann: 10 → 13" in said.output and "twice.values" in said.output
    _, none = run(small, two, out)
    assert none == [] and results.read(out / batch.PREVIOUS) == old


def test_B60_a_changed_hand_in_is_named_as_the_reason(
    small: Kit, two: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    first, _ = run(small, two, out)
    (two / "bob" / "twice.py").write_text(RIGHT, "utf-8")
    second, moved = run(small, two, out)
    assert [(each.id, each.reasons) for each in moved] == [("bob", ("hand_in",))]
    digests = [{each.id: each.digest for each in found.submissions} for found in (first, second)]
    assert digests[0]["ann"] == digests[1]["ann"] and digests[0]["bob"] != digests[1]["bob"]
    page = batch.grade(small, plan(two, out)) and (out / "students" / "bob.html").read_text("utf-8")
    assert digests[1]["bob"][:8] in page and digests[0]["bob"][:8] not in page


def test_B71_a_damaged_hand_in_keeps_the_last_good_score_and_says_so(
    small: Kit, two: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    before, _ = run(small, two, out)
    (two / "bob" / "twice.py").unlink()
    (two / "bob" / "quadruple.py").unlink()
    (two / "bob" / "attention.ipynb").write_bytes(b"{ not json")
    for _ in range(2):  # a second failure does not forget it either
        after, _ = run(small, two, out, force=True)
        [bob] = [each for each in after.submissions if each.id == "bob"]
        assert (bob.status, bob.score, bob.last_good) == ("unreadable", None, score(before, "bob"))
    [entry] = [each for each in gradebook(after).entries if each.id == "bob"]
    assert entry.stale and entry.score == score(before, "bob")
    batch.grade(small, plan(two, out))
    assert "kept" in (out / "students" / "bob.html").read_text("utf-8")
    jsonschema.validate(json.loads((out / "results.json").read_text("utf-8")), SCHEMA)


def test_B71_a_fault_of_the_kit_leaves_the_old_results(
    small: Kit, two: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run(small, two, out)
    before = (out / "results.json").read_bytes()
    (small.graders / "test_twice.py").write_text("def test_x(:\n", "utf-8")
    with pytest.raises(Exception, match="test_twice"):
        run(small, two, out)
    assert (out / "results.json").read_bytes() == before


def test_B73_an_exercise_that_is_new_or_gone_costs_no_other(
    small: Kit, two: Path, tmp_path: Path
) -> None:
    write(two / "cyd", {"twice.py": RIGHT, "thrice.py": "def thrice(x):\n    return 3 * x\n"})
    found, _ = run(small, two, tmp_path / "out")
    [cyd] = [each for each in found.submissions if each.id == "cyd"]
    assert {each.exercise: each.status for each in cyd.exercises} == {
        "twice": "passed",
        "quadruple": "missing",
    }
    (small.root / "pyproject.toml").write_text(
        '[tool.autograder]\nexercises = ["twice"]\n', "utf-8"
    )
    newer, moved = run(read_kit(small.root), two, tmp_path / "out")
    assert all(len(each.exercises) == 1 for each in newer.submissions)
    assert {check.name for each in moved for check in each.checks} == {"quadruple.forward"}


def test_who_is_new_or_gone_is_told() -> None:
    one = results.not_graded("a", [], "empty", 1.0)
    old, new = Results("1", ("L0",), (one,)), Results("1", ("L0",), (replace(one, id="b"),))
    assert [(each.id, each.reasons) for each in regrade.compare(old, new)] == [
        ("b", ("new",)),
        ("a", ("gone",)),
    ]


def test_the_command_sets_marks_and_tells_what_moved(small: Kit, two: Path, tmp_path: Path) -> None:
    table, out = tmp_path / "marks.csv", tmp_path / "out"
    call = ["grade", str(two), "--out", str(out), "--kit", str(small.root), "--lang", "en"]
    assert CliRunner().invoke(main, call).exit_code == 0
    table.write_text("id,check,score,reason\nbob,twice.values,2,seen in class\n", "utf-8")
    done = CliRunner().invoke(main, [*call, "--overrides", str(table)])
    assert done.exit_code == 0 and "twice.values: not yet → passed (+2)" in done.output
    assert "(a mark set by hand)" in done.output
    table.write_text("id,check,score,reason\neve,twice.values,2,x\n", "utf-8")
    done = CliRunner().invoke(main, [*call, "--overrides", str(table)])
    assert done.exit_code == 2 and "no hand-in 'eve'" in done.output


def test_a_long_list_of_moves_is_cut_in_words() -> None:
    moved = [regrade.Moved(f"s{n}", 1.0, 2.0, (), ()) for n in range(5)]
    said = list(regrade.lines(moved, shown=2))
    assert len(said) == 4 and said[-1].startswith("  and 3 more")
    assert len(list(regrade.lines(moved))) == 6
