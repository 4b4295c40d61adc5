"""A cell's text is read once, with IPython's own verdicts, remarks and faults."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.cellcode import read_once


@pytest.fixture
def shell() -> SimpleNamespace:
    """What a shell has of its own, telling what it was asked."""
    asked: list[str] = []

    def search(lines: list[str]) -> list[str]:
        asked.append("search")
        return lines

    def should_run_async(raw_cell: str, **told: Any) -> bool:
        asked.append("awaits")
        return True

    manager = SimpleNamespace(token_transformers=[], do_token_transforms=search)
    made = SimpleNamespace(
        input_transformer_manager=manager,
        should_run_async=should_run_async,
        autoawait=True,
        asked=asked,
    )
    read_once(made)
    return made


def _read(shell: SimpleNamespace, text: str) -> bool:
    lines = shell.input_transformer_manager.do_token_transforms(text.splitlines(keepends=True))
    answer: bool = shell.should_run_async(text, transformed_cell="".join(lines))
    return answer


@pytest.mark.parametrize(
    ("text", "awaits"),
    [
        ("x = 1\n", False),
        ("await x\n", True),
        ("[y async for y in x]\n", True),
        ("async def f():\n    await x\n", False),
    ],
)
def test_plain_python_is_read_once_when_it_is_run(
    shell: SimpleNamespace, text: str, awaits: bool
) -> None:
    assert _read(shell, text) is awaits
    assert shell.asked == []


@pytest.mark.parametrize("text", ["def f(:\n", "return 5\n", "x = '\0'\n"])
def test_what_is_no_python_is_searched_and_awaits_nothing(
    shell: SimpleNamespace, text: str
) -> None:
    assert _read(shell, text) is False
    assert shell.asked == ["search"]


@pytest.mark.parametrize("text", ["%time 1\n", "x?\n", "a = !ls\n"])
def test_ipythons_own_syntax_is_left_to_it(shell: SimpleNamespace, text: str) -> None:
    assert _read(shell, text) is True
    assert shell.asked == ["search", "awaits"]


@pytest.mark.parametrize("text", ["x is 1\n", "x is 1\nreturn 5\n"])
def test_a_remark_is_made_once_when_the_reader_warns(shell: SimpleNamespace, text: str) -> None:
    with warnings.catch_warnings(record=True) as made:
        warnings.simplefilter("always")
        _read(shell, text)
    assert [each.category for each in made] == [SyntaxWarning]


def test_a_verdict_is_used_for_its_own_text_alone(shell: SimpleNamespace) -> None:
    shell.input_transformer_manager.do_token_transforms(["x = 1\n"])
    assert shell.should_run_async("y", transformed_cell="y = 2\n") is True
    shell.autoawait = False
    assert shell.should_run_async("x", transformed_cell="x = 1\n") is True
    assert shell.asked == ["awaits", "awaits"]
