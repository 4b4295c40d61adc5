"""The notebook's doors: what a learner types in a cell, and what it says."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import autograder
from autograder.build import build
from autograder.doors import NotGraded
from autograder.exercise import read_kit
from autograder.progress import load
from tests.small_kit import small_kit

RIGHT = "def twice(x):\n    return 2 * x\n"
WRONG = "def twice(x):\n    return x + 2\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    kit = read_kit(small_kit(tmp_path / "kit"))
    build(kit)
    shutil.copytree(kit.bundle, tmp_path / "desk")
    monkeypatch.chdir(tmp_path / "desk")
    monkeypatch.setenv("ATTN_LANG", "en")
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    return tmp_path / "desk"


@pytest.fixture
def run_cells(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stand in for IPython: the list of cells that were run in its kernel."""
    cells: list[str] = [""]
    module, shows = ModuleType("IPython"), ModuleType("IPython.display")
    shell = SimpleNamespace(user_ns={"In": cells}, execution_count=1)
    module.get_ipython = lambda: shell  # type: ignore[attr-defined]
    shows.display = lambda forms, raw: print(forms["text/plain"])  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", module)
    monkeypatch.setitem(sys.modules, "IPython.display", shows)
    return cells


@pytest.mark.parametrize("door", autograder.DOORS)
def test_a_door_stays_a_function_when_modules_have_its_name(door: str) -> None:
    from autograder import check, grade  # noqa: F401

    for name in ("check", "grade"):
        importlib.import_module(f"autograder.{name}")
    assert callable(getattr(autograder, door))
    assert not isinstance(getattr(autograder, door), ModuleType)
    assert door in dir(autograder)


def test_check_reads_the_file_when_there_is_no_notebook(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    autograder.check("twice")
    assert "Twice: a number doubled: correct" in capsys.readouterr().out


def test_check_reads_the_cells_that_were_run_when_in_a_notebook(
    folder: Path, run_cells: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "twice.py").write_text(WRONG, "utf-8")
    run_cells += ["%matplotlib inline", WRONG, "def half(:", RIGHT, 'check("twice")']
    autograder.check("twice")
    assert "Twice: a number doubled: correct" in capsys.readouterr().out
    run_cells.append(WRONG)
    autograder.check("twice")
    assert "Twice: a number doubled: not yet" in capsys.readouterr().out


def test_check_reads_the_file_when_the_notebook_does_not_define_the_name(
    folder: Path, run_cells: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    run_cells += ["x = 1", 'check("twice")']
    autograder.check("twice")
    assert ": correct" in capsys.readouterr().out


def test_check_gives_a_sentence_when_there_is_no_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    autograder.check()
    assert capsys.readouterr().out.startswith("checks.json is not in this folder")


def test_check_gives_a_sentence_when_the_name_is_unknown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    autograder.check("thrice")
    assert "there are: twice, quadruple" in capsys.readouterr().out


def test_check_counts_when_it_looks_at_all(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    autograder.check(lang="zh")
    assert capsys.readouterr().out.splitlines()[-1].startswith("2 个练习中有 0 个")


def test_grade_gives_the_self_checks_share_when_a_student_runs_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = autograder.grade("twice")
    assert repr(given) == "0.0"
    assert "not started" in given._repr_html_()
    assert "when graded, there are more checks" in capsys.readouterr().out


def test_grade_never_raises_when_a_student_runs_it_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert repr(autograder.grade("twice")) == "0.0"


def test_grade_fails_when_nbgrader_runs_it_without_graders(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with pytest.raises(NotGraded, match="Nothing was graded"):
        autograder.grade("twice")


def test_a_note_is_escaped_in_every_form(folder: Path) -> None:
    note = autograder.check("<img src=x onerror=y>|*")
    assert "there is no exercise" in str(note).lower()
    for form in (note._repr_html_(), note._repr_markdown_()):
        assert "&lt;img" in form
        assert "<img" not in form


def test_check_gives_its_note_in_three_forms(folder: Path) -> None:
    (folder / "twice.py").write_text(WRONG, "utf-8")
    note = autograder.check("twice")
    assert "Twice: a number doubled: not yet" in str(note)
    assert note._repr_html_().startswith('<section lang="en"')
    assert note._repr_markdown_().startswith("**twice · Twice: a number doubled: not yet**")
    assert repr(note) == "<check: twice not_yet>"


def test_a_note_is_shown_once_in_its_cell_and_again_in_another(
    run_cells: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = sys.modules["IPython"].get_ipython()
    note = autograder.check("twice")
    note._ipython_display_()  # what IPython does with a cell's last value
    assert capsys.readouterr().out.count("not started") == 1
    shell.execution_count += 1
    note._ipython_display_()
    assert capsys.readouterr().out.count("not started") == 1


def test_a_pass_says_how_many_checks_more_are_graded(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    autograder.check("twice")
    assert capsys.readouterr().out.splitlines()[-1].startswith("All self-checks of twice pass.")


def test_hint_has_three_levels_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for level in (1, 2, 3):
        autograder.hint("softmax", level, lang="en")
        said.append(capsys.readouterr().out.strip())
    assert len(set(said)) == 3
    autograder.hint("softmax", 4, lang="en")
    assert "Levels are 1, 2 and 3" in capsys.readouterr().out


def test_picture_says_that_there_is_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autograder.picture("twice", lang="en") is None
    assert capsys.readouterr().out.strip() == "There is no picture for twice."


def test_hint_goes_on_in_the_folder_and_follows_the_finding(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "twice.py").write_text(WRONG, "utf-8")
    autograder.hint("twice", 2, lang="en")
    autograder.hint("twice", lang="en")
    autograder.hint("twice", lang="en")
    assert load(folder).of("twice").hints == 3
