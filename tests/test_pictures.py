"""The pictures: golden in two languages, straight, readable without eyes and without colour."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from markdown_it import MarkdownIt

from autograder.exercise import Kit, reference
from autograder.gallery import parts_of
from autograder.leak import leaks, solution_statements
from autograder.picture.colours import (
    DIFFERENCES_256,
    PUOR,
    WEIGHTS_256,
    ansi,
    contrast,
    difference_colour,
    rgb_of_256,
    text_colour,
    weight_colour,
)
from autograder.picture.html import page, sheet_html
from autograder.picture.look import Look, look_of
from autograder.picture.markdown import sheet_markdown
from autograder.picture.parts import Grid, Sheet, words_looked_at
from autograder.picture.text import part_lines, shade, sheet_lines
from autograder.picture.widths import cut, fold, folded, label, width
from autograder.scenes import SCENES, Found, freeze, thaw

ROOT = Path(__file__).resolve().parent.parent
DATA = json.loads((ROOT / "exercises/checks.json").read_text("utf-8"))
LANGS = ["en", "zh"]
BOTH = [(exercise, lang) for exercise in SCENES for lang in LANGS]


def sheet(exercise: str, lang: Any, ascii: bool = False) -> Sheet:
    about, found = DATA["exercises"][exercise], Found()
    for numbers in thaw(about["picture"], lang).values():
        found |= numbers
    title = about["about"]["title_zh" if lang == "zh" else "title"]
    return Sheet(title, tuple(parts_of(exercise, found, lang, ascii=ascii)), lang=lang)


@pytest.mark.parametrize(("exercise", "lang"), BOTH)
def test_picture_is_as_it_was_read(
    exercise: str, lang: str, golden: Callable[[str, str], None]
) -> None:
    looks = (Look(), Look(ascii=True), Look(plain=True))
    texts = ("\n".join(sheet_lines(sheet(exercise, lang, each.ascii), each)) for each in looks)
    golden(f"pictures/{exercise}.{lang}.txt", f"\n{'=' * 80}\n".join(texts) + "\n")


@pytest.mark.parametrize(("exercise", "lang"), BOTH)
def test_no_line_is_wider_than_the_terminal(exercise: str, lang: str) -> None:
    lines = sheet_lines(sheet(exercise, lang), Look(columns=80))
    assert [line for line in lines if width(line) > 80 and " · " not in line] == []


@pytest.mark.parametrize("exercise", SCENES)
def test_only_ascii_signs_are_drawn_when_asked(exercise: str) -> None:
    lines = sheet_lines(sheet(exercise, "en", ascii=True), Look(ascii=True))
    assert not re.search("[░▒▓█←✕•]", "\n".join(lines))


@pytest.mark.parametrize("exercise", SCENES)
def test_a_chinese_picture_holds_no_english_sentence(exercise: str) -> None:
    for look in (Look(), Look(plain=True)):
        text = "\n".join(sheet_lines(sheet(exercise, "zh"), look))
        text = text.replace("The cat sat on the mat", "")
        assert re.findall(r"[A-Za-z]+(?: [A-Za-z]+){2,}", text) == []


def test_frozen_numbers_are_the_references(kit: Kit) -> None:
    namespace = {n: value for space in reference(kit).values() for n, value in space.items()}
    for exercise in SCENES:
        fresh = freeze(exercise, namespace, kit.ids)
        assert fresh == DATA["exercises"][exercise]["picture"], exercise


def test_no_module_of_the_engine_that_draws_holds_a_solution() -> None:
    statements = solution_statements(ROOT)
    modules = [*(ROOT / "autograder/picture").glob("*.py")]
    modules += [ROOT / f"autograder/{name}.py" for name in ("scenes", "gallery", "exhibit")]
    assert len(modules) > 12
    found = {path.name: leaks(path.read_text("utf-8"), statements) for path in modules}
    assert {name: each for name, each in found.items() if each} == {}


# HTML


class Facts(HTMLParser):
    """What a screen reader would get of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.mark.parametrize(("exercise", "lang"), BOTH)
def test_html_says_everything_in_words(exercise: str, lang: str) -> None:
    facts = Facts(page(sheet(exercise, lang)))
    names = {name for name, _ in facts.tags}
    assert not names & {"script", "img", "link", "iframe"}
    assert facts.named("html")[0]["lang"] == ("zh-Hans" if lang == "zh" else "en")
    assert len(facts.named("caption")) == len(facts.named("table"))
    assert all(each.get("scope") in ("row", "col") for each in facts.named("th"))
    for cell in facts.named("td"):
        coloured = "background:#" in (cell.get("style") or "")
        assert not coloured or cell.get("aria-label")
    assert all(each.get("aria-label") for each in facts.named("svg") + facts.named("pre"))


def test_cell_says_who_looks_at_whom() -> None:
    text = sheet_html(sheet("masked_attention", "en"))
    assert 'aria-label="cat looks at: The 0.06"' in text
    assert 'aria-label="The does not look at sat: closed"' in text
    assert 'aria-label="The; the row sums to 0.79; that is not 1"' in text


def test_tokens_are_escaped_when_they_hold_markup() -> None:
    grid = Grid(np.eye(2), ("<b>", "a"), ("<b>", '"'), "<script>")
    text = sheet_html(Sheet("<i>", (grid,)))
    assert "<b>" not in text and "<script>" not in text and "<i>" not in text


def test_a_token_in_markdown_is_shown_as_it_is() -> None:
    tokens = ("[a](https://example.org)", "`b`", "c|d", "e\\|f", "*g*", "<h>", "i_j_k")
    grid = Grid(np.eye(len(tokens)), tokens, tokens, "weights")
    read = MarkdownIt().enable("table").parse(sheet_markdown(Sheet("", (grid,))))
    cells = [each for each in read if each.type == "inline"]
    shown = {"".join(part.content for part in cell.children or ()) for cell in cells}
    assert shown >= set(map(label, tokens))
    kinds = {part.type for cell in cells for part in cell.children or ()}
    assert kinds <= {"text", "text_special"}


@pytest.mark.parametrize("exercise", SCENES)
def test_markdown_tables_have_one_width(exercise: str) -> None:
    text = sheet_markdown(sheet(exercise, "en"))
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({line.count("|") for line in block.splitlines()}) == 1


# Colours, signs, terminals


@pytest.mark.parametrize("palette", [weight_colour, difference_colour])
def test_text_can_be_read_on_every_colour(palette: Callable[[float], Any]) -> None:
    colours = [palette(each / 100) for each in range(-100, 101)]
    assert min(contrast(text_colour(each), each) for each in colours) >= 4.5


@pytest.mark.parametrize("colour", [*WEIGHTS_256, *DIFFERENCES_256])
def test_text_can_be_read_on_every_colour_of_a_terminal(colour: int) -> None:
    shown = rgb_of_256(colour)
    assert contrast(text_colour(shown), shown) >= 4.5
    assert ansi("x", colour).startswith(f"\x1b[48;5;{colour};38;5;")


def test_more_weight_is_darker_in_a_terminal_too() -> None:
    light = [contrast(rgb_of_256(each), (0, 0, 0)) for each in WEIGHTS_256]
    assert light == sorted(light, reverse=True)


def test_more_weight_is_always_darker() -> None:
    light = [contrast(weight_colour(each / 50), (0, 0, 0)) for each in range(51)]
    assert light == sorted(light, reverse=True)


def test_a_difference_of_nothing_is_nearly_white() -> None:
    assert difference_colour(0.0) == PUOR[4]


@pytest.mark.parametrize(
    ("share", "sign"), [(0.0, " "), (0.19, " "), (0.2, "░"), (0.99, "█"), (1.0, "█"), (7.0, "█")]
)
def test_shades_are_equal_steps_of_a_fixed_scale(share: float, sign: str) -> None:
    assert shade(share, Look()) == sign


def test_faint_weights_are_shaded_when_relative() -> None:
    grid = Grid(np.full((1, 2), 0.02), ("a",), ("a", "b"))
    assert "█" not in "".join(part_lines(grid, Look()))
    assert "█" in "".join(part_lines(grid, Look(relative=True)))


class Terminal(io.StringIO):
    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "colour", "ascii"),
    [
        ({"TERM": "xterm"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False, False),
        ({"TERM": "dumb"}, False, False),
        ({"TERM": "xterm", "LANG": "zh_CN.UTF-8"}, True, True),
        ({"TERM": "xterm", "LANG": "zh_CN.UTF-8", "WT_SESSION": "1"}, True, False),
    ],
)
def test_look_follows_the_terminal(environment: dict[str, str], colour: bool, ascii: bool) -> None:
    look = look_of(Terminal(), environment)
    assert (look.colour, look.ascii) == (colour, ascii)


def test_look_has_no_colour_when_there_is_no_terminal() -> None:
    assert not look_of(io.StringIO(), {"TERM": "xterm"}).colour


def test_look_is_ascii_when_the_encoding_has_no_other_signs() -> None:
    assert look_of(io.TextIOWrapper(io.BytesIO(), "latin-1"), {}).ascii


@pytest.mark.parametrize(
    ("text", "cells"),
    [("cat", 3), ("自然", 4), ("e\u0301", 1), ("全角", 4), ("🐱", 2), ("a\u200db", 2), ("", 0)],
)
def test_width_counts_cells_and_not_letters(text: str, cells: int) -> None:
    assert width(text) == cells


def test_long_tokens_are_cut_by_cells() -> None:
    assert cut("supercalifragilistic") == "superca…"
    assert cut("自然语言处理") == "自然语…"


def test_sentences_are_folded_between_words_and_chinese_anywhere_but_before_a_stop() -> None:
    assert fold("one two three", 8) == ["one two", "three"]
    assert fold("一二三四，五六", 8) == ["一二三", "四，五六"]


@pytest.mark.parametrize(("row", "words"), [([1, 0, 0], 1), ([0.25] * 4, 4), ([0.5, 0.5, 0], 2)])
def test_words_looked_at_are_counted(row: list[float], words: float) -> None:
    assert words_looked_at(np.array(row, dtype=float)) == pytest.approx(words)


def test_a_text_is_folded_under_what_it_is_indented_by() -> None:
    text = "  [failed] Each row sums\n      Row 1 sums to 0.31: you masked after softmax.\n\nDone."
    assert folded(text, 30).split("\n") == [
        "  [failed] Each row sums",
        "      Row 1 sums to 0.31: you",
        "      masked after softmax.",
        "",
        "Done.",
    ]
    wide = folded("    第一行的和是 0.31：你在 softmax 之后才遮住。", 24).split("\n")
    assert len(wide) > 1 and all(width(line) <= 24 and line.startswith("    ") for line in wide)
    assert folded(text, 200) == text
