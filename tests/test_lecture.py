"""The instructor's report: counted right, for everybody to read, silent about who is who."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import statistics
import sys
from dataclasses import replace
from html import escape
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt

from autograder.analysis import analyse, point_biserial
from autograder.cli import main
from autograder.exercise import Kit
from autograder.export.lecture_page import report_page
from autograder.export.lecture_text import markdown, sheet
from autograder.preview import PreviewError, listing, preview
from autograder.rehearse import Stage
from autograder.results import (
    CheckResult,
    Results,
    exercise_result,
    graded,
    not_graded,
    write_atomically,
)

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))
from simulated_class import roster, simulate


@pytest.fixture(scope="module")
def stage(kit: Kit) -> Stage:
    return Stage(kit)


@pytest.fixture(scope="module")
def hundreds(stage: Stage) -> Results:
    return simulate(stage, 60)


def check(name: str, right: bool) -> CheckResult:
    return CheckResult(name, f"{name} holds", "passed" if right else "failed", 2.0 * right, 2.0)


def hand_in(id: str, softmax: str | None, heads: str | None = None):
    """Give a hand-in; an exercise's code is what is said of it, None where it passed."""
    made = [
        exercise_result(
            name,
            [check("shape", True), check("values", code is None)],
            findings=[code] if code else [],
        )
        for name, code in (("softmax", softmax), ("heads", heads))
    ]
    return graded(id, [f"{id}.py"], made)


@pytest.fixture
def small() -> Results:
    found = (
        hand_in("ann", None),
        hand_in("bob", "SM-AXIS0"),
        hand_in("cyd", "SM-AXIS0", "H-SPLIT-RESHAPE"),
        hand_in("dan", "UNKNOWN", "C-RAISED"),
        hand_in("eve", "UNKNOWN"),
        not_graded(
            "fay", ["fay's file.ipynb"], "unreadable", 8.0, notice="fay's file.ipynb broke."
        ),
    )
    return Results("0.1.0", ("L2",), found)


# ---- Counting -----------------------------------------------------------------------------------


def test_misconceptions_are_counted_by_student_without_troubles(
    small: Results,
) -> None:
    found = analyse(small)
    assert [(each.code, each.students) for each in found.misconceptions] == [
        ("SM-AXIS0", ("bob", "cyd")),
        ("H-SPLIT-RESHAPE", ("cyd",)),
    ]


def test_the_unexplained_are_a_share_of_what_did_not_pass(small: Results) -> None:
    found = analyse(small)
    assert (found.failed, found.named, found.of_the_run) == (6, 3, 1)
    assert found.unexplained == pytest.approx(2 / 6)
    [unknown] = found.unknown
    assert (unknown.exercise, unknown.checks, unknown.students) == (
        "softmax",
        ("values holds",),
        ("dan", "eve"),
    )


def test_rivals_that_fit_alike_count_for_what_is_sure() -> None:
    rivals = exercise_result(
        "softmax",
        [check("values", False)],
        findings=["EQ-QK-SWAP", "P-QK-SWAP", "SCORES-KQT"],
        detail={"candidates": [["P-QK-SWAP"], ["SCORES-KQT"]]},
    )
    found = analyse(Results("0.1.0", ("L2",), (graded("a", ["x"], [rivals]),)))
    assert [each.code for each in found.misconceptions] == ["EQ-QK-SWAP"]


def test_scores_fall_into_bins_that_sum_to_the_graded(hundreds: Results) -> None:
    found = analyse(hundreds)
    scores = [each.score for each in hundreds.submissions if each.score is not None]
    assert sum(each.count for each in found.bins) == len(scores) == found.counts["graded"]
    assert found.bins[-1].count == sum(score == 100.0 for score in scores)
    assert found.bins[9].count == sum(90.0 <= score < 100.0 for score in scores)
    assert found.mean == pytest.approx(statistics.fmean(scores))


def test_discrimination_is_a_correlation() -> None:
    right = [True, True, False, False] * 5
    scores = [9.0, 7.0, 3.0, 4.0] * 5
    expected = statistics.correlation([float(each) for each in right], scores)
    assert point_biserial(right, scores) == pytest.approx(expected)
    assert point_biserial(right, [-each for each in scores]) == pytest.approx(-expected)
    assert point_biserial([True] * 20, scores) is None
    assert point_biserial(right, [5.0] * 20) is None
    assert point_biserial(right[:4], scores[:4]) is None


def test_the_class_list_tells_absent_and_strangers(small: Results) -> None:
    found = analyse(small, listed=["ann", "bob", "zoe"], late=["bob"])
    assert found.absent == ("zoe",) and found.late == ("bob",)
    assert found.strangers == ("cyd", "dan", "eve", "fay")


def test_nobody_is_recognised_when_anonymised(small: Results) -> None:
    found = analyse(small, listed=["ann", "zoe"], late=["bob"], anonymise=True)
    pages = (report_page(found, "0.1.0"), markdown(found), sheet(found))
    for page in pages:
        words = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
        for id in ("ann", "bob", "cyd", "dan", "eve", "fay", "zoe"):
            assert not re.search(rf"\b{id}\b", words)
    assert found.late[0].startswith("#") and list(found.strangers) == sorted(found.strangers)
    assert [len(each.students) for each in found.misconceptions] == [2, 1]


def test_who_is_only_among_the_late_is_not_named_when_anonymised(small: Results) -> None:
    found = analyse(small, late=["gus"], anonymise=True)
    assert found.late[0].startswith("#")


def test_numbers_do_not_follow_from_the_class_list(small: Results) -> None:
    def order(results: Results) -> list[str]:
        found = analyse(results, listed=list("abcdefgh"), late=["a", "h"], anonymise=True)
        return [*found.late, *found.absent]

    others = [replace(each, seconds=each.seconds + n) for n, each in enumerate(small.submissions)]
    assert order(small) == order(small)
    assert order(small) != order(replace(small, submissions=tuple(others)))


# ---- Pages --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_needs_nothing_but_itself(hundreds: Results, stage: Stage, lang: str) -> None:
    page = report_page(analyse(hundreds), "0.1.0", lang, stage.contrast)
    assert not re.search(r"<(script|link|img|iframe)|https?:|url\(|@import|\son\w+=", page)
    assert page.count("<h1") == 1 and "<svg" in page and 'role="img"' in page
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert all(later - one <= 1 for one, later in pairwise(levels))
    assert all("<caption" in t or "aria-label" in t for t in re.findall(r"<table.*?<thead", page))
    assert 'class="picture"' in page
    assert not re.search(r"class\.\w+_?\w*<", page), "a word without its sentence"


def test_a_misconceptions_row_opens_its_students_and_sentence(
    hundreds: Results, stage: Stage
) -> None:
    found = analyse(hundreds)
    page = report_page(found, "0.1.0", "en", stage.contrast)
    first = found.misconceptions[0]
    row = next(each for each in page.split("<details") if f"<code>{first.code}</code>" in each)
    assert set(re.findall(r"<li>(student-\d+)</li>", row)) == set(first.students)


def test_no_name_is_markup_in_the_markdown_file(small: Results) -> None:
    names = ("<img src=x>", "[a](javascript:b)", "`c`", "*d*", "_e_", "f&lt;", "g_h")
    ill = [not_graded(name, [name], "unreadable", 8.0, notice=name) for name in names]
    text = markdown(analyse(replace(small, submissions=(*small.submissions, *ill))))
    html = MarkdownIt("commonmark", {"html": True}).render(text)
    assert not any(tag in html for tag in ("<img", "<a ", "<em>", "<code>c"))
    for name in names:
        assert f"{escape(name, quote=False)}: unreadable" in html
    assert "- g_h: unreadable" in text
    assert "- <img src=x>: unreadable" in markdown(
        analyse(replace(small, submissions=ill)), shown=9
    )


def test_text_says_what_the_page_says(hundreds: Results) -> None:
    found = analyse(hundreds, listed=roster(hundreds).split()[1:])
    text = markdown(found)
    for each in found.misconceptions:
        assert f"**{len(each.students)}**" in text and f"`{each.code}`" in text
    rows = list(csv.reader(io.StringIO(sheet(found).lstrip("\ufeff"), newline="")))
    assert {len(row) for row in rows} == {4}
    assert sum(row[0] == "absent" for row in rows) == len(found.absent) == 7


def test_a_negative_correlation_stays_a_number_in_the_sheet(small: Results) -> None:
    found = analyse(small)
    items = tuple(replace(each, discrimination=-0.25) for each in found.items)
    rows = csv.reader(io.StringIO(sheet(replace(found, items=items))))
    told = [row[3] for row in rows if row[2] == "point_biserial"]
    assert told and all(float(each) == -0.25 for each in told)


@pytest.mark.parametrize("suffix", ["html", "md", "csv", ""])
def test_command_writes_the_report_by_its_ending(
    small: Results, tmp_path: Path, suffix: str
) -> None:
    write_atomically(tmp_path / "results.json", small)
    out = tmp_path / f"report.{suffix}"
    call = ["report", str(tmp_path), *(["--out", str(out)] if suffix else [])]
    done = CliRunner().invoke(main, [*call, "--lang", "en"])
    assert done.exit_code == 0, done.output
    assert "SM-AXIS0" in (out.read_text("utf-8") if suffix else done.output)


def test_B20_terminal_text_is_whole_without_colour_or_odd_signs(small: Results) -> None:
    text = markdown(analyse(small)).encode("ascii", "ignore").decode()
    for word in ("unreadable", "Full marks", "SM-AXIS0", "bob", "stopped"):
        assert word in text or word == "stopped"
    assert "\x1b" not in text


def test_an_empty_class_has_a_report() -> None:
    nobody = Results("0.1.0", ("L2",), (not_graded("a", [], "empty", 8.0),))
    found = analyse(nobody)
    assert "<h1" in report_page(found, "0.1.0") and found.unexplained == 0.0
    assert markdown(found) and sheet(found)


# ---- Previews -----------------------------------------------------------------------------------


def test_a_preview_shows_a_mistake_on_every_surface(stage: Stage, tmp_path: Path) -> None:
    shown = preview(stage, "MASK-AFTER", None, "en")
    assert shown.act.exercise == "masked_attention"
    assert shown.graded.findings == ("MASK-AFTER",)
    text = "\n".join(shown.lines("en"))
    for surface in ("At the student's desk", "On the graded page", "In results.json", "lecture"):
        assert surface in text
    assert text.index("For the lecture") < text.index("At the student's desk")
    assert "partial, 2 of 12 points, findings: MASK-AFTER." in text
    assert "{" not in text
    assert json.loads(shown.json())["findings"] == ["MASK-AFTER"]
    assert "masking after softmax" in " ".join(shown.desk)
    names = {path.name for path in shown.write(tmp_path, "en")}
    assert names == {"MASK-AFTER.html", "MASK-AFTER.lecture.html", "MASK-AFTER.json"}


def test_words_of_a_preview_do_not_run_together(stage: Stage) -> None:
    lines = preview(stage, "MASK-AFTER", None, "en").lines("en")
    assert "Masked attention: close some places before softmax" in lines
    assert "A closed place gets no weight passed 1 / 1" in lines
    told = [line for line in lines if "Not run: needs" in line]
    assert told and all(line.startswith("Not run: needs") for line in told)


def test_a_preview_of_nothing_known_says_where_to_look(stage: Stage) -> None:
    with pytest.raises(PreviewError, match="--list"):
        preview(stage, "NO-SUCH", None, "en")
    with pytest.raises(PreviewError, match="masked_attention"):
        preview(stage, "MASK-AFTER", "softmax", "en")


def test_every_known_mistake_is_listed_with_its_name(stage: Stage) -> None:
    listed = listing(stage, "en")
    assert len(listed) == len({act.mistake.code for act in stage.acts()})
    odd = [line for line in listed if not re.fullmatch(r"[A-Zx0-9-]+ +\S.* \(.+\)", line)]
    assert odd == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_one_mistake_of_each_exercise_is_previewed(stage: Stage, lang: str) -> None:
    for exercise, bank in stage.banks.items():
        code = next(iter(bank.chains.values())).mistakes[0].code
        shown = preview(stage, code, exercise, lang)  # type: ignore[arg-type]
        assert shown.desk and shown.graded.status != "passed"


def test_predictions_are_counted_and_odd_records_are_nobodys(
    small: Results, tmp_path: Path, kit: Kit
) -> None:
    write_atomically(tmp_path / "results.json", small)
    right = {"answer": "b", "right": False, "code": None, "tries": 1}
    for id, text in (
        ("ann", json.dumps({"student": "x", "answers": {"rows": right}})),
        ("bob", json.dumps({"student": "y", "answers": {"rows": {**right, "answer": "c"}}})),
        ("cyd", "[" * 100_000),
        ("dan", '{"answers": 7}'),
        ("eve", json.dumps({"student": "x", "answers": {"rows": {**right, "tries": 1e999}}})),
    ):
        (tmp_path / "in" / id).mkdir(parents=True)
        (tmp_path / "in" / id / "quiz-answers.json").write_text(text, "utf-8")
    if hasattr(os, "mkfifo"):  # nobody will ever write into it
        (tmp_path / "in" / "fay").mkdir()
        os.mkfifo(tmp_path / "in" / "fay" / "quiz-answers.json")
    for suffix in ("html", "md", "csv"):
        out = tmp_path / f"r.{suffix}"
        call = ["report", str(tmp_path), "--out", str(out), "--quiz", str(tmp_path / "in")]
        done = CliRunner().invoke(main, [*call, "--kit", str(kit.root), "--lang", "en"])
        assert done.exit_code == 0, done.output
    assert "| softmax · rows | 1 / 2" in (tmp_path / "r.md").read_text("utf-8")
    assert "1 / 2 · 50\u00a0%" in (tmp_path / "r.html").read_text("utf-8")
