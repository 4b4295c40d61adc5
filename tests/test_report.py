"""The class in the terminal: aligned, plain where it must be, every verdict a word or a number."""

from __future__ import annotations

import io
import re

import pytest
from rich.cells import cell_len

from autograder import report
from autograder.report import class_text, print_class
from autograder.results import CheckResult, Results, exercise_result, graded, not_graded
from autograder.summary import common_findings, findings_of


def check(status: str, code: str | None = None) -> CheckResult:
    score = 2.5 if status == "passed" else 0.0
    message = None if status == "passed" else "SENTENCE_OF_THE_STUDENT"
    return CheckResult("c", "A title", status, score, 2.5, message, code)  # type: ignore[arg-type]


def hand_in(id: str, *statuses: str, codes: tuple[str, ...] = ()) -> object:
    names = ("softmax", "heads")
    states = {"stub": "stub", "missing": "missing"}
    exercises = [
        exercise_result(
            name,
            [check("skipped" if status in states else status)],
            state=states.get(status, "attempted"),
            findings=codes if status not in ("passed", "stub", "missing") else (),
        )
        for name, status in zip(names, statuses, strict=True)
    ]
    return graded(id, [f"{id}.py"], exercises, seconds=0.5)


@pytest.fixture
def results() -> Results:
    return Results(
        "0.1.0",
        ("L2", "seccomp", "landlock"),
        (
            hand_in("student-01", "passed", "passed"),
            hand_in("王小明", "failed", "passed", codes=("SM-AXIS0",)),
            hand_in("student-03", "timeout", "stub", codes=("C-TIMEOUT",)),
            hand_in("student-04", "stub", "stub"),
            not_graded("student-05", ["a.ipynb"], "unreadable", 5.0, notice="It ends early."),
            not_graded("student-06", [], "empty", 5.0, notice="Nothing was handed in."),
        ),  # type: ignore[arg-type]
    )


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.match(r" (student-\d|王小明)", line)]


def test_class_table_has_a_row_for_everybody(results: Results) -> None:
    found = rows(class_text(results))
    assert len(found) >= 6
    assert found[0].split() == ["student-01", "graded", "5.0", "2.5", "2.5"]
    assert found[1].split() == ["王小明", "graded", "2.5", "0", "2.5", "SM-AXIS0"]
    assert found[2].split() == ["student-03", "graded", "0.0", "0", "-", "C-TIMEOUT"]
    assert found[3].split() == ["student-04", "graded", "0.0", "-", "-", "not", "started"]
    assert found[4].split() == ["student-05", "unreadable", "-"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_columns_are_straight_when_names_are_wide(results: Results, lang: str) -> None:
    found = rows(class_text(results, lang))
    ends = {
        cell_len(line[: line.index(score) + len(score)])
        for line, score in zip(found, ("5.0", "2.5", "0.0", "0.0"), strict=False)
    }
    assert len(ends) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
def test_no_line_is_wider_than_the_terminal(results: Results, lang: str, width: int) -> None:
    text = class_text(results, lang, width=width)
    assert max(cell_len(line) for line in text.splitlines()) <= width


def test_numbers_are_explained_when_they_are_shown(results: Results) -> None:
    assert "1 softmax (2.5) · 2 heads (2.5)" in class_text(results, width=120)
    assert "heads" not in class_text(results, width=60)


def test_troubles_findings_totals_and_isolation_are_named(results: Results) -> None:
    text = class_text(results)
    assert re.search(r"student-05 +unreadable +It ends early\.", text)
    assert re.search(r"student-06 +empty +Nothing was handed in\.", text)
    assert re.search(r"student-03 +too slow +softmax", text)
    assert re.search(r"1 +SM-AXIS0 +softmax over axis 0", text)
    assert "6 hand-ins: 4 graded, 1 unreadable, 1 empty." in text
    assert "Mean 1.9, median 1.2, best 5.0, of 5 points." in text
    assert "Isolation L2: seccomp, landlock" in text


def test_sentences_for_students_stay_on_their_pages(results: Results) -> None:
    assert "SENTENCE_OF_THE_STUDENT" not in class_text(results)


def test_class_without_any_score_has_no_mean() -> None:
    only = Results("0.1.0", ("L0",), (not_graded("a", [], "empty", 5.0),))
    assert "No hand-in has a score." in class_text(only)
    assert class_text(Results("0.1.0", ("L0",)))


def test_hostile_ids_stay_on_one_line(results: Results) -> None:
    odd = hand_in("[bold]x[/]\x1b[31m\n\u202eevil", "passed", "passed")
    text = class_text(Results("0.1.0", ("L2",), (odd,)))  # type: ignore[arg-type]
    assert "[bold]x[/]" in text
    assert not re.search(r"[\x1b\u202e]", text)


class Terminal(io.StringIO):
    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self.name_of_encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.name_of_encoding

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError

    def write(self, text: str) -> int:
        text.encode(self.encoding)
        return super().write(text)


@pytest.mark.parametrize(
    ("environment", "colored"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_terminal_decides_on_color(
    results: Results,
    environment: dict[str, str],
    colored: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    out = Terminal()
    print_class(results, "en", out)
    assert ("\x1b[" in out.getvalue()) is colored
    assert "SM-AXIS0" in out.getvalue()


def test_plain_text_has_ascii_lines_only(results: Results) -> None:
    text = class_text(Results("0.1.0", ("L2",), results.submissions[:1]))
    assert text.replace("·", "").isascii()


def test_terminal_without_chinese_still_gets_its_report(results: Results) -> None:
    out = Terminal("ascii")
    print_class(results, "zh", out)
    assert "student-01" in out.getvalue()


def test_seconds_are_those_of_the_clock_or_none(results: Results) -> None:
    assert " s for " not in class_text(results)  # each hand-in took 0.5 s, side by side
    assert "0.3 s for 6 hand-ins." in class_text(results, seconds=0.29)


@pytest.mark.parametrize(("codes", "more"), [(8, None), (9, "and 1 more"), (11, "and 3 more")])
def test_findings_that_are_left_out_are_counted(codes: int, more: str | None) -> None:
    told = tuple(f"X-{number:02}" for number in range(codes))
    ids = [hand_in(str(n), "failed", "passed", codes=(code,)) for n, code in enumerate(told)]
    often = class_text(Results("0.1.0", ("L2",), tuple(ids))).split("Most often")[1]  # type: ignore[arg-type]
    assert re.findall(r"and \d+ more", often) == ([more] if more else [])


def test_thousands_are_cut_and_who_has_no_score_is_still_named() -> None:
    slow = [hand_in(f"s{n:04}", "timeout", "passed", codes=("C-TIMEOUT",)) for n in range(1000)]
    ill = not_graded("z", [], "unreadable", 5.0, notice="It ends early.")
    text = class_text(Results("0.1.0", ("L2",), (*slow, ill)))  # type: ignore[arg-type]
    table, looks = text.split("Needs a look")
    assert "s0399" in table and "s0400" not in table and "and 601 more in results.json" in table
    assert "It ends early." in looks and "and 801 more in results.json" in looks


def test_words_differ_by_language_and_numbers_do_not(results: Results) -> None:
    english, chinese = class_text(results), class_text(results, "zh")
    assert "无法读取" in chinese
    assert "unreadable" not in chinese
    assert [re.findall(r"\d+\.\d", line) for line in rows(english)] == [
        re.findall(r"\d+\.\d", line) for line in rows(chinese)
    ]


def test_findings_are_counted_once_a_hand_in(results: Results) -> None:
    twice = hand_in("a", "failed", "failed", codes=("SM-AXIS0", "SM-NOEXP"))
    assert findings_of(twice) == ["SM-AXIS0", "SM-NOEXP"]  # type: ignore[arg-type]
    assert common_findings([*results.submissions, twice])[0] == ("SM-AXIS0", 2)  # type: ignore[list-item]


def test_report_does_not_load_rich_before_it_prints() -> None:
    import subprocess
    import sys

    code = "import sys, autograder.report; sys.exit('rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert report.WIDTH_WITHOUT_TERMINAL >= 80
