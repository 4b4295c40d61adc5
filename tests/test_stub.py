"""What a student starts from: lesson and docstrings stay, the marked regions go."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from autograder.exercise import find_kit, parse_exercise
from autograder.stub import cleared, solved, stub
from tests.small_kit import HEADER, QUADRUPLE, TWICE

KIT = find_kit(Path(__file__).resolve().parent.parent)

STUB = '''\
# %% [markdown]
# # Twice
#
# Doubles `x`.

# %%
import numpy as np


# %%
def twice(x):
    """Give 2 x."""
    # YOUR CODE HERE
    raise NotImplementedError()
'''


def test_stub_is_lesson_and_placeholder_when_a_function_is_graded() -> None:
    assert stub(parse_exercise(Path("twice.py"), TWICE)) == STUB


def test_stub_has_the_chinese_lesson_when_asked_for() -> None:
    text = stub(parse_exercise(Path("twice.py"), TWICE), "zh")
    assert "# # 翻倍" in text
    assert "Doubles" not in text


def test_stub_keeps_the_english_lesson_when_it_has_no_twin() -> None:
    without = TWICE.replace('# %% [markdown] lang="zh"\n# # 翻倍\n', "")
    assert "Doubles" in stub(parse_exercise(Path("twice.py"), without), "zh")


def test_each_method_gets_the_placeholder_when_a_class_is_graded() -> None:
    text = stub(parse_exercise(Path("quadruple.py"), QUADRUPLE))
    assert text.count("        # YOUR CODE HERE\n        raise NotImplementedError()\n") == 2
    assert "from twice import twice" in text


def test_demo_code_stays_when_it_has_no_markers() -> None:
    demo = '\n# %%\nif __name__ == "__main__":\n    print(twice(2))\n'
    assert demo.strip() in stub(parse_exercise(Path("twice.py"), TWICE + demo))


def test_code_around_a_region_stays_when_only_a_part_is_marked() -> None:
    before, after = "def f(x):\n    y = 1\n", "\n    return y"
    region = "    ### BEGIN SOLUTION\n    y = 2\n    ### END SOLUTION"
    hole = "    # YOUR CODE HERE\n    raise NotImplementedError()"
    assert cleared(before + region + after) == before + hole + after


def test_nothing_counts_as_solved_when_a_stub_is_fresh() -> None:
    for source, name in ((TWICE, "twice"), (QUADRUPLE, "Quadruple")):
        assert solved(stub(parse_exercise(Path("a.py"), source)), (name,)) == []


def test_the_names_are_told_when_a_stub_is_solved() -> None:
    assert solved(TWICE, ("twice",)) == ["twice"]
    assert solved("def twice(x:\n", ("twice",)) == ["twice"]


@pytest.mark.parametrize("exercise", KIT.exercises, ids=lambda each: each.id)
def test_stub_of_the_kit_has_no_header_and_no_marker_and_runs(exercise: object) -> None:
    text = stub(exercise)  # type: ignore[arg-type]
    assert "# ///" not in text
    assert "SOLUTION" not in text
    assert HEADER.split("\n")[1] not in text
    # every graded name is there, with its docstring
    found = {
        node.name: ast.get_docstring(node)
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    for name in exercise.names:  # type: ignore[attr-defined]
        assert found[name], name
    assert solved(text, exercise.names) == []  # type: ignore[attr-defined]
