"""Finding the kit, reading a solution file, and what is said where one does not hold."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from autograder.exercise import (
    Kit,
    KitNotFound,
    SourceError,
    find_kit,
    given_sources,
    parse_exercise,
    read_kit,
    reference,
)
from tests.small_kit import HEADER, QUADRUPLE, TWICE, small_kit


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_kit(tmp_path)


def test_header_cells_and_names_when_a_file_is_right() -> None:
    exercise = parse_exercise(Path("twice.py"), TWICE)
    assert (exercise.id, exercise.minutes, exercise.difficulty) == ("twice", 5, 1)
    assert exercise.title_in("en") == "Twice: a number doubled"
    assert exercise.title_in("zh") == "翻倍"
    assert exercise.names == ("twice",)
    assert [(cell.kind, cell.lang) for cell in exercise.cells] == [
        ("markdown", "en"),
        ("markdown", "zh"),
        ("code", "en"),
        ("code", "en"),
    ]
    assert exercise.cells[0].text == "# Twice\n\nDoubles `x`."
    assert TWICE.split("\n")[exercise.cells[2].line - 1] == "import numpy as np"


def test_a_class_is_one_name_when_each_method_has_markers() -> None:
    assert parse_exercise(Path("quadruple.py"), QUADRUPLE).names == ("Quadruple",)


def test_crlf_reads_the_same_when_a_file_was_saved_on_windows() -> None:
    crlf = parse_exercise(Path("twice.py"), TWICE.replace("\n", "\r\n"))
    assert crlf == parse_exercise(Path("twice.py"), TWICE)


BAD = {
    "no_header": (TWICE.removeprefix(HEADER), 1, "header"),
    "header_open": (TWICE.replace("# ///\n", "", 1), 1, "not closed"),
    "header_not_toml": (TWICE.replace("# minutes = 5", "# minutes = five"), 2, "TOML"),
    "header_wrong_type": (TWICE.replace("minutes = 5", 'minutes = "5"'), 1, "minutes"),
    "header_lacks": (TWICE.replace("# difficulty = 1\n", ""), 1, "difficulty"),
    "header_strange": (TWICE.replace("# minutes", "# points = 3\n# minutes"), 1, "points"),
    "python": (TWICE.replace("return x + x", "return x +"), 23, "Python"),
    "end_missing": (TWICE.replace("    ### END SOLUTION\n", ""), 22, "without ### END"),
    "begin_missing": (TWICE.replace("    ### BEGIN SOLUTION\n", ""), 23, "without ### BEGIN"),
    "nested": (
        TWICE.replace("    return x", "    ### BEGIN SOLUTION\n    return x"),
        23,
        "inside another",
    ),
    "misspelt": (TWICE.replace("### END", "## END"), 24, "stands alone"),
    "outside_a_function": (
        TWICE + "\n# %%\n### BEGIN SOLUTION\nx = 1\n### END SOLUTION\n",
        27,
        "one function's body",
    ),
    "empty_region": (TWICE.replace("    return x + x\n", ""), 22, "one function's body"),
    "half_a_statement": (
        TWICE.replace("return x + x", "return (x +").replace(
            "### END SOLUTION\n", "### END SOLUTION\n    x)\n"
        ),
        22,
        "one function's body",
    ),
    "two_names_in_a_cell": (
        TWICE + TWICE[TWICE.index("def twice") :].replace("def twice", "def thrice"),
        20,
        "give each its own",
    ),
    "nothing_graded": (TWICE[: TWICE.index("# %%\ndef")], 1, "nothing is graded"),
    "unknown_cell": (TWICE.replace("# %% [markdown]\n", "# %% [raw]\n"), 8, "raw"),
    "code_in_markdown": (TWICE.replace("# Doubles `x`.", "x = 1"), 11, "start with #"),
    "code_first_in_markdown": (TWICE.replace("# # Twice\n", "x = 1\n"), 9, "start with #"),
}


@pytest.mark.parametrize("case", BAD)
def test_file_and_line_are_told_when_a_source_does_not_hold(case: str) -> None:
    source, line, words = BAD[case]
    with pytest.raises(SourceError, match=words) as caught:
        parse_exercise(Path("solutions/twice.py"), source)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"solutions/twice.py, line {line}: ")


def test_reference_leaves_no_module_when_it_has_loaded(root: Path) -> None:
    loaded = reference(read_kit(root))
    assert loaded["quadruple"]["Quadruple"]().forward(3) == 12
    assert "twice" not in sys.modules
    assert "quadruple" not in sys.modules


def test_reference_puts_a_module_of_that_name_back_when_there_was_one(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "twice", sys)
    assert reference(read_kit(root))["quadruple"]["Quadruple"](1).forward(1) == 2
    assert sys.modules["twice"] is sys


def test_reference_cleans_up_when_a_solution_raises(root: Path) -> None:
    path = root / "solutions" / "quadruple.py"
    path.write_text(QUADRUPLE + "\n1 / 0\n", "utf-8")
    with pytest.raises(ZeroDivisionError):
        reference(read_kit(root))
    assert "twice" not in sys.modules


def test_given_sources_run_and_hold_no_lesson_when_taken_from_solutions(root: Path) -> None:
    given = given_sources(read_kit(root))
    assert list(given) == ["twice", "quadruple"]
    assert "Doubles" not in given["twice"]
    assert "SOLUTION" not in given["twice"]
    names: dict[str, object] = {}
    exec(given["twice"], names)
    assert names["twice"](4) == 8  # type: ignore[operator]


def test_the_nearest_kit_is_found_when_working_inside_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ATTN_KIT", raising=False)
    (root / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(root / "deep" / "er")
    kit = find_kit()
    assert kit.root.resolve() == root.resolve()
    assert kit.ids == ("twice", "quadruple")


def test_a_named_kit_wins_when_others_are_near(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTN_KIT", str(tmp_path / "no_such"))
    assert find_kit(root).ids == ("twice", "quadruple")
    monkeypatch.setenv("ATTN_KIT", str(root))
    assert find_kit().root == root


def test_the_source_tree_is_found_when_working_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ATTN_KIT", raising=False)
    monkeypatch.chdir(tmp_path)
    assert find_kit().bundle == Path(__file__).resolve().parent.parent / "exercises"


@pytest.mark.parametrize("how", ["--kit", "ATTN_KIT"])
def test_a_sentence_is_given_when_the_named_folder_is_no_kit(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTN_KIT", str(tmp_path))
    with pytest.raises(KitNotFound, match=how):
        find_kit(tmp_path if how == "--kit" else None)


def test_a_sentence_is_given_when_a_listed_exercise_has_no_file(root: Path) -> None:
    (root / "solutions" / "twice.py").unlink()
    with pytest.raises(KitNotFound, match="lists the exercise twice"):
        read_kit(root)


def test_the_ids_are_listed_when_an_exercise_is_unknown(root: Path) -> None:
    with pytest.raises(KeyError, match="twice, quadruple"):
        read_kit(root).exercise("softmaxx")


def test_every_lesson_has_its_chinese_twin_in_the_kit() -> None:
    kit: Kit = find_kit(Path(__file__).resolve().parent.parent)
    for exercise in kit.exercises:
        langs = [cell.lang for cell in exercise.cells if cell.kind == "markdown"]
        assert langs == ["en", "zh"] * (len(langs) // 2), exercise.id
        assert langs, exercise.id
