"""Every number in a lesson is printed by code that runs here; no lesson gives its answer away.

Lessons carry their examples as fenced ``python`` blocks in doctest form. They run with the names
of their own and all earlier exercises. A number in the prose must be one that a block, a
docstring's example or the demo of that file prints (whole numbers from 10 on may also stand in
the code). A printed row of shares must sum to 1, unless its line says why not.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograder.exercise import Exercise, code_of, read_kit, regions

KIT = read_kit(Path(__file__).resolve().parent.parent)
EXERCISES = pytest.mark.parametrize("exercise", KIT.exercises, ids=lambda each: each.id)

FENCE = re.compile(r"^```(\w+)?(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]*\d)")
WHOLE = re.compile(r"(?<![\w.,/])\d{2,}(?![\w.]*\d)")
PERCENT = re.compile(r"\d+ ?[%％]")
SHAPE = re.compile(r"\(\d+(?:, ?\d+)+\)")
NUMBER = re.compile(r"(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?")
ROW = re.compile(r"\[([^\[\]]+)\]")
NO_SHARES = ("on purpose", "not weights", "nats")

Examples = list[doctest.Example]


# Reading


def blocks(text: str, needs: str | None = None) -> list[str]:
    """Give the python blocks of a markdown cell: those that need nothing, or that package."""
    return [
        code
        for kind, extra, code in FENCE.findall(text)
        if kind == "python" and extra == (needs or "")
    ]


def prose(text: str) -> str:
    """Give a markdown cell without its blocks and without the years of its sources."""
    return re.sub(r"\b(19|20)\d\d(?=[)）])", "", FENCE.sub("", text))


def docstrings(exercise: Exercise) -> dict[str, str]:
    """Give every docstring of the exercise's code, by name."""
    tree = ast.parse(code_of(exercise))
    kinds = ast.FunctionDef | ast.ClassDef
    found = {
        node.name: ast.get_docstring(node) for node in ast.walk(tree) if isinstance(node, kinds)
    }
    return {name: text for name, text in found.items() if text}


def examples(text: str) -> Examples:
    """Give the doctest examples in a text."""
    return doctest.DocTestParser().get_examples(text)


def all_examples(exercise: Exercise, lang: str = "en") -> Examples:
    """Give all examples of a lesson, of its docstrings and its blocks."""
    texts = [*docstrings(exercise).values()]
    texts += [b for c in lessons(exercise, lang) for b in blocks(c) + blocks(c, "torch")]
    return [example for text in texts for example in examples(text)]


def lessons(exercise: Exercise, lang: str) -> list[str]:
    """Give the markdown cells in one language."""
    return [cell.text for cell in exercise.cells if cell.kind == "markdown" and cell.lang == lang]


def names_up_to(solutions: SimpleNamespace, exercise: Exercise) -> dict[str, Any]:
    """Give what a learner has at hand in this lesson: NumPy, this exercise and all before."""
    at_hand: dict[str, Any] = {"np": np}
    for name in KIT.ids[: KIT.ids.index(exercise.id) + 1]:
        at_hand.update(vars(getattr(solutions, name)))
    return at_hand


def run(text: str, at_hand: dict[str, Any]) -> str:
    """Run the examples of a text as a doctest and give the report: empty when all is as it says."""
    test = doctest.DocTestParser().get_doctest(text, dict(at_hand), "lesson", None, 0)
    report = io.StringIO()
    doctest.DocTestRunner().run(test, out=report.write)
    return report.getvalue()


def demo(exercise: Exercise) -> str:
    """Run a solution file as a script and give what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(exercise.path), run_name="__main__")
    return printed.getvalue()


# Judging


def numbers(text: str) -> set[float]:
    """Give the numbers in a text, by value."""
    return {float(each) for each in NUMBER.findall(text)}


def unproved(text: str, printed: str, code: str) -> list[str]:
    """Give the numbers and shapes in a text that nothing prints (or, if whole, nothing names)."""
    shown, named = numbers(printed), numbers(printed + code)
    loose = [each for each in DECIMAL.findall(text) if float(each) not in shown]
    loose += [each for each in WHOLE.findall(text) if float(each) not in named]
    loose += PERCENT.findall(text)
    squeezed = printed.replace(" ", "")
    return loose + [each for each in SHAPE.findall(text) if each.replace(" ", "") not in squeezed]


def rows_off(text: str) -> list[str]:
    """Give the bracketed rows that look like shares (all within 0 and 1) and do not sum to 1."""
    off = []
    for row in ROW.findall(text):
        parts = row.replace(",", " ").split()
        if len(parts) < 2 or "." not in row:
            continue
        with contextlib.suppress(ValueError):  # not a row of numbers
            shares = [float(part) for part in parts]
            rounding = 0.005 * len(shares)
            if all(0 <= s <= 1 for s in shares) and abs(sum(shares) - 1) > rounding:
                off.append(row)
    return off


def pieces(code: str) -> Iterator[ast.AST]:
    """Give the statements and the values of a piece of code that are large enough to be told."""
    with contextlib.suppress(SyntaxError):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.stmt | ast.expr) and len(list(ast.walk(node))) > 6:
                yield node


def shape_of(node: ast.AST, *, rename: bool) -> str:
    """Give a tree as text, all names by order of appearance if asked."""
    text = ast.dump(node)
    if not rename:
        return text
    order: dict[str, str] = {}
    return re.sub(r"id='(\w+)'", lambda m: order.setdefault(m[1], f"id={len(order)}"), text)


def answers(exercise: Exercise) -> dict[str, str]:
    """Give what must not be told: statements between the markers, and the values in them."""
    found: dict[str, str] = {}
    for cell in exercise.cells:
        if cell.kind == "code":
            lines, told = cell.text.split("\n"), regions(cell.text)
            statements = [
                node
                for node in ast.walk(ast.parse(cell.text))
                if isinstance(node, ast.stmt) and any(b < node.lineno - 1 < e for b, e in told)
            ]
            for node in statements:
                value = getattr(node, "value", None)
                for each in (node, value):
                    size = len(list(ast.walk(each))) if isinstance(each, ast.AST) else 0
                    if size > 6:
                        found[shape_of(each, rename=False)] = lines[node.lineno - 1].strip()
                    if size > 14:
                        found[shape_of(each, rename=True)] = lines[node.lineno - 1].strip()
    return found


def told(exercise: Exercise) -> Iterator[ast.AST]:
    """Give every piece of code that a learner can read in a lesson."""
    for cell in exercise.cells:
        if cell.kind == "markdown":
            for _, _, block in FENCE.findall(cell.text):
                shown = examples(block)
                for code in [each.source for each in shown] if shown else [block]:
                    yield from pieces(code)
            for code in re.findall(r"`([^`]+)`", prose(cell.text)):
                yield from pieces(code)
        else:
            kept, hidden = cell.text.split("\n"), regions(cell.text)
            for begin, end in reversed(hidden):
                indent = kept[begin][: len(kept[begin]) - len(kept[begin].lstrip())]
                kept[begin : end + 1] = [indent + "raise NotImplementedError()"]
            yield from pieces("\n".join(kept))
    for text in docstrings(exercise).values():
        for each in examples(text):
            yield from pieces(each.source)


# Tests


@EXERCISES
def test_docstring_examples_print_what_they_say(
    exercise: Exercise, solutions: SimpleNamespace, importable_solutions: None
) -> None:
    written = docstrings(exercise)
    assert all(examples(written[name]) for name in exercise.names)
    at_hand = names_up_to(solutions, exercise)
    for text in written.values():
        assert run(text, at_hand) == ""


@EXERCISES
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_lesson_blocks_print_what_they_say(
    exercise: Exercise, lang: str, solutions: SimpleNamespace, importable_solutions: None
) -> None:
    cells = [cell for cell in lessons(exercise, lang) if blocks(cell)]
    assert cells
    for cell in cells:  # the blocks of one cell build on each other
        assert run("\n".join(blocks(cell)), names_up_to(solutions, exercise)) == ""


@EXERCISES
def test_no_code_in_a_lesson_goes_unrun(exercise: Exercise) -> None:
    for cell in [*lessons(exercise, "en"), *lessons(exercise, "zh")]:
        assert {(kind, extra) for kind, extra, _ in FENCE.findall(cell)} <= {
            ("python", ""),
            ("python", "torch"),
        }
        assert all(examples(code) for code in blocks(cell) + blocks(cell, "torch"))


def test_torch_block_prints_what_it_says(
    solutions: SimpleNamespace, importable_solutions: None
) -> None:
    pytest.importorskip("torch", reason="torch is not installed (extra oracle)")
    found = [(e, b) for e in KIT.exercises for c in lessons(e, "en") for b in blocks(c, "torch")]
    assert found
    for exercise, block in found:
        assert run(block, names_up_to(solutions, exercise)) == ""


@EXERCISES
def test_demo_prints_and_has_no_nan(exercise: Exercise, importable_solutions: None) -> None:
    printed = demo(exercise)
    assert printed.strip() and "nan" not in printed
    assert rows_off(printed) == []


@EXERCISES
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_numbers_in_prose_are_printed_by_code(
    exercise: Exercise, lang: str, importable_solutions: None
) -> None:
    shown = all_examples(exercise, lang)
    printed = "".join(example.want for example in shown) + demo(exercise)
    code = "".join(example.source for example in shown) + code_of(exercise).split("__main__")[-1]
    for cell in lessons(exercise, lang):
        assert unproved(prose(cell), printed, code) == []
    for text in docstrings(exercise).values():
        assert unproved(re.split(r"\n *>>> ", text)[0], printed, code) == []


@EXERCISES
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_rows_of_shares_sum_to_one(exercise: Exercise, lang: str) -> None:
    for example in all_examples(exercise, lang):
        if not any(reason in example.source for reason in NO_SHARES):
            assert rows_off(example.want) == [] and rows_off(example.source) == []
    for cell in lessons(exercise, lang):
        assert rows_off(prose(cell)) == []


@EXERCISES
def test_chinese_cells_carry_the_same_code_and_formulas(exercise: Exercise) -> None:
    cells = [cell for cell in exercise.cells if cell.kind == "markdown"]
    assert [cell.lang for cell in cells] == ["en", "zh"] * (len(cells) // 2)
    for english, chinese in zip(cells[::2], cells[1::2], strict=True):
        assert FENCE.findall(english.text) == FENCE.findall(chinese.text)
        formulas = [re.sub(r"\\text\{.*?\}", "", each) for each in (english.text, chinese.text)]
        found = [re.findall(r"\$\$.*?\$\$", each, re.DOTALL) for each in formulas]
        assert found[0] == found[1]
        assert english.text.count("\n|") == chinese.text.count("\n|")
        for sign in (",", ";", "?", "!"):
            assert not re.search(rf"[\u4e00-\u9fff]{re.escape(sign)}", prose(chinese.text))


@EXERCISES
def test_no_lesson_tells_its_own_answer_or_a_later_one(exercise: Exercise) -> None:
    later = KIT.exercises[KIT.ids.index(exercise.id) :]
    secret = {key: line for each in later for key, line in answers(each).items()}
    for node in told(exercise):
        for rename in (False, True):
            assert secret.get(shape_of(node, rename=rename)) is None, ast.unparse(node)


# The judges themselves, on planted faults


def test_invented_number_is_found() -> None:
    printed = "[0.66 0.24 0.1 ]\n(6, 8)\n"
    assert unproved("0.66 and 0.24, shape (6, 8), 12 words", printed, "range(12)") == []
    assert unproved("it is 0.67", printed, "0.67") == ["0.67"]
    assert unproved("shape (8, 6)", printed, "") == ["(8, 6)"]
    assert unproved("90 % of 36", printed, "") == ["90", "36", "90 %"]


def test_row_that_no_softmax_made_is_found() -> None:
    assert rows_off("[[0.6 0.2 0.1]\n [0.33 0.33 0.33]]") == ["0.6 0.2 0.1"]
    assert rows_off("[0.6, 0.2, 0.2] [2. 0.] [7, 8] [nan 0.5] ['a', 0.5]") == []


def test_example_that_prints_something_else_is_found() -> None:
    assert "Expected" in run(">>> print(1 + 1)\n3\n", {})
    assert run(">>> print(1 + 1)\n2\n", {}) == ""


def test_answer_with_other_names_is_found() -> None:
    exercise = next(each for each in KIT.exercises if each.id == "softmax")
    secret = answers(exercise)
    (leak,) = ast.parse("return e / e.sum(axis=axis, keepdims=True)").body
    assert shape_of(leak, rename=True) in secret
    (harmless,) = ast.parse("np.exp(x) / np.exp(x).sum()").body
    assert shape_of(harmless, rename=True) not in secret
