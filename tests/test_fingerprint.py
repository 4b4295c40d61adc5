"""Fingerprints of syntax: what they pass over, and that the quick search loses none."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograder.fingerprint import candidates, fingerprint

ROOT = Path(__file__).resolve().parent.parent
SOUGHT = "w / w.sum(axis=k, keepdims=True)"


def _expression(code: str) -> ast.expr:
    return ast.parse(code, mode="eval").body


@pytest.mark.parametrize(
    "other",
    ["b/b.sum(axis=i,keepdims=True)", "权 / 权.sum(keepdims=True, axis=轴)"],
    ids=["names", "order of keywords"],
)
def test_a_fingerprint_is_the_same_when_names_or_order_differ(other: str) -> None:
    assert fingerprint(_expression(other)) == fingerprint(_expression(SOUGHT))


@pytest.mark.parametrize(
    "other",
    ["b / b.max(axis=k, keepdims=True)", "b / c.sum(axis=k, keepdims=True)", "b / b.sum(axis=k)"],
    ids=["another function", "another use of a name", "fewer keywords"],
)
def test_a_fingerprint_differs_when_the_code_does(other: str) -> None:
    assert fingerprint(_expression(other)) != fingerprint(_expression(SOUGHT))


@pytest.mark.parametrize(
    "text",
    [
        "def f(x: {}) -> None: ...",
        "def f(x) -> ({}): ...",
        "@each({})\ndef f(x): ...",
        "@each({})\nasync def f(x): ...",
        "def f(x=({})): ...",
        "class A(B, c={}): ...",
        "x: {} = 1",
        "x += {}",
        "print(f'{{{}}}')",
        "lambda x=({}): x",
        "[y for x in z if ({})]",
        "x[{}].y = z",
        "with a({}) as b: pass",
        "match x:\n case 1 if {}: pass",
        f"x = [{'1, ' * 3000}{{}}]",
    ],
    ids=lambda text: text[:24].split("\n")[0],
)
def test_a_part_is_found_wherever_it_stands(text: str) -> None:
    tree = ast.parse(text.format(SOUGHT))
    found = candidates(tree, [fingerprint(_expression(SOUGHT))])
    assert [ast.unparse(each) for each in found] == [SOUGHT]


@pytest.mark.parametrize("path", sorted((ROOT / "solutions").glob("*.py")), ids=lambda p: p.stem)
def test_the_quick_search_finds_what_a_look_at_every_part_finds(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    nodes = (each for each in ast.walk(tree) if isinstance(each, ast.stmt | ast.expr))
    parts = [each for each in nodes if not isinstance(each, ast.Name)]
    sought = {fingerprint(each) for each in parts[::3]}
    slow = {id(each) for each in parts if fingerprint(each) in sought}
    quick = {id(each) for each in candidates(tree, sought) if fingerprint(each) in sought}
    assert quick == slow
