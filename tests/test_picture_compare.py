"""Yours beside target: rows that differ are marked, whatever a student's function gave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograder.picture import Look, compare, sheet_lines
from autograder.picture.widths import width

TOKENS = ["The", "cat", "sat"]
TARGET = np.array([[1, 0, 0], [0.94, 0.06, 0], [0.68, 0.11, 0.21]])
YOURS = np.array([[0.31, 0, 0], [0.53, 0.03, 0], [0.68, 0.11, 0.21]])


def lines(yours: Any, target: Any = TARGET, tokens: Any = TOKENS, **look: Any) -> list[str]:
    return sheet_lines(compare(yours, target, tokens, look.get("lang", "en")), Look(**look))


def test_rows_that_differ_are_marked_and_closed_places_are_dots() -> None:
    assert lines(YOURS) == [
        "yours                         target",
        "    The  cat  sat   sum           The  cat  sat   sum",
        "The .31░   ·    ·   0.31 ←    The 1.0█   ·    ·   1.00",
        "cat .53▒ .03    ·   0.56 ←    cat .94█ .06    ·   1.00",
        "sat .68▓ .11  .21░  1.00      sat .68▓ .11  .21░  1.00",
        "",
        "rows: who looks · columns: who is looked at",
    ]


@pytest.mark.parametrize("tokens", [["我", "喜欢", "🐱"], ["é", "e\u0301", "a\u200db"]])
def test_columns_are_straight_when_tokens_are_wide_or_narrow(tokens: list[str]) -> None:
    rows = lines(TARGET, tokens=tokens)[2:5]
    assert len({width(row) for row in rows}) == 1


def test_only_ascii_signs_when_asked() -> None:
    assert "\n".join(lines(YOURS, ascii=True)[:-1]).isascii()


def test_rows_are_sentences_when_plain() -> None:
    told = lines(TARGET, plain=True)
    assert told[1] == "The looks at: The 1.00; 2 places closed; the row sums to 1.00."
    assert told[3] == "sat looks at: The 0.68, sat 0.21, cat 0.11; the row sums to 1.00."


@pytest.mark.parametrize(
    ("yours", "seen"),
    [
        (None, "What your function gave is no table of numbers."),
        ("a text", "What your function gave is no table of numbers."),
        ([[1, 2], [3]], "What your function gave is no table of numbers."),
        ({"weights": 1}, "What your function gave is no table of numbers."),
        (np.ones((2, 5)), "Yours has shape (2, 5), the target (3, 3)."),
        (np.ones(3), "Yours has shape (3,), the target (3, 3)."),
        (np.ones((0, 3)), "Yours has shape (0, 3), the target (3, 3)."),
        (np.ones((2, 3, 3)), "Yours has shape (2, 3, 3), the target (3, 3)."),
    ],
)
def test_target_is_shown_when_yours_is_odd(yours: Any, seen: str) -> None:
    told = lines(yours)
    assert told[0] == seen
    assert any("target" in line for line in told)
    assert any(".68▓" in line for line in told)


def test_nan_and_infinity_are_written_out_when_they_are_there() -> None:
    told = lines(np.full((3, 3), np.nan))
    assert told[2].startswith("The nan") and "nan ←" in told[2]
    assert "inf" in lines(np.full((3, 3), np.inf))[2]


def test_first_table_that_differs_is_shown_when_there_are_several() -> None:
    told = lines(np.stack([TARGET, YOURS]), np.stack([TARGET, TARGET]))
    assert told[0] == "There are several tables; this is the one at [1], counted from 0."
    assert told[4].endswith("1.00") and "0.31 ←" in told[4]


def test_any_numbers_are_a_table_without_sums_when_the_target_is_no_distribution() -> None:
    told = lines([[1.5, -2], [0, 3000]], [[1.5, -2], [0, 3]], None)
    assert told[1].split() == ["[0]", "[1]", "[0]", "[1]"]
    assert told[3].split() == ["[1]", "0.00", "3e+03", "←", "[1]", "0.00", "3.00"]


def test_nothing_is_shown_when_the_target_is_one_number() -> None:
    assert lines(3.0, np.array(4.0)) == []


def test_nothing_is_coloured_unless_asked() -> None:
    assert "\x1b" not in "\n".join(lines(YOURS))
    assert "\x1b[48;5;" in "\n".join(lines(YOURS, colour=True))
