"""The quiz: predict, see, keep; no release tells an answer, and a class is counted anew."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import autograder
from autograder import messages, quizbook, quizslip
from autograder.analysis import analyse
from autograder.cli import main
from autograder.desk import open_desk
from autograder.exercise import Kit
from autograder.export.lecture_page import report_page
from autograder.export.lecture_text import markdown
from autograder.packing import pack
from autograder.picture.look import Look
from autograder.picture.text import sheet_lines
from autograder.quiz_demos import DEMOS
from autograder.quizbook import Item, read_answer
from autograder.quizzing import open_round
from autograder.report import class_text
from autograder.results import Results, graded
from autograder.sandbox import Sandbox
from autograder.submission import find

ROOT = Path(__file__).resolve().parent.parent
GRADERS = ROOT / "autograder/graders"
SOURCE = quizbook.source(GRADERS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "exercises", tmp_path / "desk")
    return tmp_path / "desk"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


def run(folder: Path, *arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["quiz", "--dir", str(folder), *arguments], input=typed)


def options(name: str) -> Item:
    return Item(name, "softmax", None, "", {}, {})


def number(decimals: int) -> Item:
    return Item("first", "masked_attention", decimals, "", {}, {})


# The items


def test_there_are_twelve_items_each_with_words_and_code() -> None:
    assert len(SOURCE) == 12
    assert list(SOURCE) == list(DEMOS)
    for lang in ("en", "zh"):
        for name, item in SOURCE.items():
            words = set(messages.entry(f"quiz.{name}", lang))  # type: ignore[arg-type]
            wanted = set() if "decimals" in item else set(quizbook.LETTERS)
            assert words == {"question", "why"} | wanted, (lang, name)


def test_every_other_answer_points_at_a_known_finding() -> None:
    for name, item in SOURCE.items():
        assert "right" in item and item["right"] not in item["codes"]
        if "decimals" not in item:
            assert {item["right"], *item["codes"]} == set(quizbook.LETTERS), name
        for code in item["codes"].values():
            assert "say" in messages.entry(code), (name, code)


def test_right_answers_are_spread_over_the_letters() -> None:
    letters = [item["right"] for item in SOURCE.values() if "decimals" not in item]
    assert max(letters.count(each) for each in quizbook.LETTERS) <= 3


def test_right_numbers_are_what_the_code_gives() -> None:
    shipped = quizbook.load(ROOT / "exercises")
    found = {item.id: quizbook.numbers_of(item, "en") for item in shipped.items}
    assert f"{found['first']['weights'][0, 0]:.2f}" == SOURCE["first"]["right"]
    assert f"{found['after']['rows'][0].sum():.2f}" == SOURCE["after"]["right"]
    assert f"{found['double']['sizes'][1] / found['double']['sizes'][0]:.0f}" == "4"
    assert found["widths"]["words"][1] < found["widths"]["words"][0]
    assert abs(found["last"]["rows"][0] - found["last"]["rows"][1]).max() < 1e-6
    assert tuple(found["shape"]["eight"]) == (8, 5, 5)
    assert abs(found["swap"]["forth"] - found["swap"]["back"][::-1, ::-1]).max() < 1e-6


# What a release holds


def test_release_holds_hashes_and_no_answer() -> None:
    shipped = json.loads((ROOT / "exercises/quiz.json").read_text("utf-8"))
    for item in shipped["items"]:
        right = SOURCE[item["id"]]["right"]
        assert set(item) == {"id", "exercise", "decimals", "right", "codes", "numbers"}
        assert item["right"] == quizbook.hashed(shipped["salt"], item["id"], right)
        assert not set(item["codes"]) & {*quizbook.LETTERS, right}
        assert SOURCE[item["id"]]["codes"].keys().isdisjoint(item["codes"])


def test_salt_changes_every_hash(kit: Kit) -> None:
    from autograder.exercise import reference

    space = {n: v for each in reference(kit).values() for n, v in each.items()}
    one, other = (
        json.loads(quizbook.release_data(GRADERS, kit.ids, space, salt)) for salt in ("a", "b")
    )
    pairs = zip(one["items"], other["items"], strict=True)
    assert all(a["right"] != b["right"] for a, b in pairs)


def test_items_of_other_exercises_are_left_out(kit: Kit) -> None:
    from autograder.exercise import reference

    space = {n: v for each in reference(kit).values() for n, v in each.items()}
    held = json.loads(quizbook.release_data(GRADERS, ["softmax"], space))
    assert [item["id"] for item in held["items"]] == ["rows", "shift"]
    assert quizbook.release_data(GRADERS, [], space) == ""


# Answers


@pytest.mark.parametrize(
    ("typed", "read"),
    [("b", "b"), (" B) ", "b"), ("c.", "c"), ("e", None), ("", None), ("ab", None), ("1", None)],
)
def test_a_letter_is_read(typed: str, read: str | None) -> None:
    assert read_answer(options("rows"), typed) == read


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("1", "1.00"),
        ("0,33", "0.33"),
        ("1/3", "0.33"),
        ("-0", "0.00"),
        ("1/0", None),
        ("nan", None),
        ("inf", None),
        ("one", None),
    ],
)
def test_a_number_is_read(typed: str, read: str | None) -> None:
    assert read_answer(number(2), typed) == read


def test_options_stand_in_another_order_for_another_student() -> None:
    orders = {tuple(quizbook.order(options("rows"), f"student {each}")) for each in range(40)}
    assert len(orders) > 10
    assert quizbook.order(options("rows"), "one") == quizbook.order(options("rows"), "one")


def test_first_answer_counts_and_later_ones_are_tries(folder: Path) -> None:
    round = open_round(open_desk(folder), "en")
    round.answer(5, "0.17")
    round.answer(5, "1.00")
    kept = quizbook.answers(folder)["first"]
    assert kept == {"answer": "0.17", "right": False, "code": "MASK-IGNORED", "tries": 2}
    assert open_round(open_desk(folder), "en").next() == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"student": 3, "answers": {"first": 1}}'])
def test_a_damaged_record_is_a_fresh_one(folder: Path, text: str) -> None:
    (folder / quizbook.RECORD).write_text(text, "utf-8")
    assert quizbook.answers(folder) == {}


@pytest.mark.parametrize("text", ["", "[]", '{"salt": "a", "items": [{"id": "x"}]}'])
def test_a_damaged_quiz_is_none(folder: Path, text: str) -> None:
    (folder / quizbook.DATA).write_text(text, "utf-8")
    result = run(folder, "--lang", "en")
    assert result.exit_code == 2
    assert "There is no quiz in this folder." in result.output


# The class


def test_answers_are_judged_anew_by_the_instructors_items() -> None:
    given = {"first": "0.17", "after": "0.33", "double": "7", "unknown": "a"}
    judged = quizbook.judged(SOURCE, given)
    assert judged == {"first": "MASK-IGNORED", "after": "right", "double": "other"}


def test_a_class_is_counted_and_no_students_own_verdict_is_believed() -> None:
    handed_in: list[Any] = [
        {"first": {"answer": "0.17", "right": True, "code": None, "tries": 1}},
        {"first": {"answer": "1.00", "right": False, "code": "X", "tries": 1}},
        {"first": {"answer": "7", "right": True}},
        {"first": 3},
        None,
        {},
    ]
    counted = {each.item: each for each in quizbook.count(GRADERS, handed_in)}
    assert (counted["first"].answered, counted["first"].right) == (3, 1)
    assert counted["first"].codes == (("MASK-IGNORED", 1),)
    assert counted["rows"].answered == 0


def test_answers_ride_in_the_packed_hand_in(folder: Path, tmp_path: Path) -> None:
    round = open_round(open_desk(folder), "en")
    round.answer(5, "0.17")
    round.answer(6, "1/3")
    line = quizslip.line(quizbook.first_answers(folder))
    assert line == "after=0.33 first=0.17"
    desk = open_desk(folder)
    pack(desk.files(), tmp_path / "s01.zip", tuple(desk.checks), "v", quiz=line)
    [found], _ = find([tmp_path / "s01.zip"], tuple(desk.checks))
    assert dict(found.read().quiz) == {"after": "0.33", "first": "0.17"}


def test_answers_count_where_the_folder_itself_is_handed_in(folder: Path, tmp_path: Path) -> None:
    round = open_round(open_desk(folder), "en")
    round.answer(5, "0.17")
    round.answer(6, "1/3")
    hand_in = tmp_path / "s02"
    hand_in.mkdir()
    for name in ("softmax.py", quizbook.RECORD):
        (hand_in / name).write_bytes((folder / name).read_bytes())
    [found], _ = find([hand_in], ("softmax",))
    read = found.read()
    assert dict(read.quiz) == {"after": "0.33", "first": "0.17"}
    assert [name for name, _ in read.files] == ["softmax.py"] and not read.packed


@pytest.mark.parametrize(
    "kept",
    [
        b"",
        b'{"answers": {"first": {"right": true, "answer": "1"}}}',
        b'{"first": {"answer": "<b>"}}',
        b'{"first": {"answer": "' + b"1" * 200 + b'"}}',
        b'"first": {"answer": "1"} ' * 10_000,
        b"[" * 90_000,
        b'"a": {' + b" " * 90_000,
    ],
)
def test_an_odd_record_holds_no_answers(kept: bytes) -> None:
    assert quizslip.read_record(kept) == {}


def test_a_record_reads_back() -> None:
    answers = {"first": "0.17", "rows": "b"}
    assert quizslip.read_record(quizslip.record(answers).encode()) == answers


@pytest.mark.parametrize(
    "slip",
    [
        b"",
        b'{"quiz": {"first": "1.00"}}',
        b'"quiz": "first=' + b"1" * 9000 + b'"',
        b'"quiz": "FIRST=1 a=b;c <b>=1"',
        b"\xff" * 100,
    ],
)
def test_an_odd_slip_holds_no_answers(slip: bytes) -> None:
    assert quizslip.read(slip) == {}


def test_report_counts_first_answers() -> None:
    came: list[dict[str, Any]] = [{"first": "right"}, {"first": "MASK-IGNORED"}, {}]
    hand_ins = [graded(f"s{n}", ["a.py"], [], quiz=each) for n, each in enumerate(came)]
    [first] = quizbook.tally(each.quiz for each in hand_ins)
    several = quizbook.tally([{"gone": "right"}, {"swap": "right"}, {"rows": "other"}])
    assert [each.item for each in several] == ["rows", "swap", "gone"]
    found = analyse(Results("0.1.0", ("L2",), ()), quiz=several)
    assert "| swap " in markdown(found) and "gone" in report_page(found, "0.1.0")
    assert (first.answered, first.right, first.codes) == (2, 1, (("MASK-IGNORED", 1),))
    text = class_text(Results("0", ("L2",), tuple(hand_ins)), "en")
    assert "Quiz, first answers" in text
    assert "1 of 2 as it is" in text and "MASK-IGNORED" in text


# The command and the notebook's door


def test_code_runs_after_the_prediction(folder: Path) -> None:
    result = run(folder, "5", "--lang", "en", typed="what\n1\n")
    assert result.exit_code == 0, result.output
    question, _, rest = result.output.partition("Your prediction")
    assert "Six words with a causal mask" in question and "1.0█" not in question
    assert "Please answer with a number." in rest
    assert "As you predicted." in rest and "1.0█" in rest
    assert "1 of 12 questions answered, 1 as predicted at the first try." in rest


def test_another_answer_is_met_with_what_is_so(folder: Path) -> None:
    result = run(folder, "12", "--lang", "en", "--answer", "2")
    assert "It comes out otherwise. Look:" in result.output
    assert "144" in result.output
    assert "That was the last one." in result.output


def test_next_question_follows_the_record(folder: Path) -> None:
    run(folder, "1", "--answer", "a")
    assert "Question 2 of 12" in run(folder, "--lang", "en", "--answer", "a").output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["13", "--lang", "en"], "There is no question 13; there are 12."),
        (["1", "--lang", "en", "--answer", "e"], "Please answer with one of a, b, c, d."),
        (["0"], "0"),
    ],
)
def test_odd_words_are_a_sentence(folder: Path, arguments: list[str], says: str) -> None:
    result = run(folder, *arguments)
    assert result.exit_code == 2
    assert says in result.output


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_question_and_its_picture_are_as_they_were_read(
    folder: Path, sandbox: Sandbox, lang: Any, golden: Any
) -> None:
    (folder / quizbook.RECORD).write_text('{"student": "s", "answers": {}}', "utf-8")
    round, lines = open_round(open_desk(folder), lang), []
    for each in range(1, 13):
        given = quizbook.Answer("x", each % 2 == 0)
        lines += [*round.question(each), "", round.ask(each), ""]
        lines += [*sheet_lines(round.shown(each, given, sandbox), Look()), "", "=" * 80]
    golden(f"pictures/quiz.{lang}.txt", "\n".join(lines) + "\n")


def test_a_notebook_asks_and_answers(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert autograder.quiz(6, lang="en") is None
    assert "To answer: quiz(6, …) with a number." in capsys.readouterr().out
    shown = autograder.quiz(6, 0.33, lang="en")
    assert "As you predicted." in shown._repr_html_()
    assert "Next: `quiz(7)`." in capsys.readouterr().out
    assert autograder.quiz(99, lang="en") is None
    assert "There is no question 99" in capsys.readouterr().out
