"""What lies in a hand-in decides nothing: no module, course, kit or secret is taken from there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import exercise, gradecell
from autograder.course.place import SECRET, SETTINGS, CourseError, find_course
from autograder.exercise import KitNotFound, find_kit
from tests.small_kit import small_kit

ROOT = Path(__file__).resolve().parent.parent
RIGHT = "def twice(x):\n    return x + x\n"
WRONG = "def twice(x):\n    return 42\n"
TELL = "from pathlib import Path\nPath({place!r}).write_text(__file__)\n"
# Modules of Python's own and of others that the command imports sooner or later. What `python -m`
# itself imports before it comes to us (types, functools, warnings) nobody but -P can keep out.
SHADOWED = """
random typing __future__ numbers tomllib json numpy click rich greenlet secrets ast
""".split()


def _plant(folder: Path, names: list[str], mark: Path) -> None:
    for name in names:
        (folder / f"{name}.py").write_text(TELL.format(place=str(mark)), "utf-8")


def _notebook(folder: Path, code: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    book = {"cells": [{**cell, "source": code}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (folder / "attention.ipynb").write_text(json.dumps(book), "utf-8")
    return folder


def _kit_that_gives_all(folder: Path, mark: Path) -> None:
    """Make a kit in a folder for which 42 is right, and whose grader tells that it ran."""
    small_kit(folder)
    solution = folder / "solutions" / "twice.py"
    solution.write_text(solution.read_text("utf-8").replace("return x + x", "return 42"), "utf-8")
    for grader in (folder / "autograder" / "graders").glob("test_*.py"):
        text = grader.read_text("utf-8")
        first = "from __future__ import annotations\n"
        told = TELL.format(place=str(mark))
        grader.write_text(
            text.replace(first, first + told, 1) if first in text else told + text, "utf-8"
        )


def _run(*words: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ATTN_")}
    return subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env={**kept, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    return small_kit(tmp_path / "kit")


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    return tmp_path / "was_run"


@pytest.fixture(autouse=True)
def _no_kit_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ATTN_KIT", "ATTN_SECRET"):
        monkeypatch.delenv(name, raising=False)
    gradecell._all.cache_clear()


# Modules


@pytest.mark.parametrize("path", [str(ROOT), f"{os.pathsep}{ROOT}", f".{os.pathsep}{ROOT}"])
def test_no_module_comes_from_the_working_directory_when_the_command_runs_there(
    path: str, tmp_path: Path, mark: Path
) -> None:
    planted = [name for name in SHADOWED if path == str(ROOT) or name in ("click", "rich")]
    hand_in = _notebook(tmp_path / "eve", RIGHT)
    _plant(hand_in, planted, mark)
    kit, out = small_kit(tmp_path / "kit"), tmp_path / "out"
    words = ["grade", ".", "--out", str(out), "--no-html", "--kit", str(kit)]
    done = _run("-m", "autograder", *words, cwd=hand_in, PYTHONPATH=path)
    assert not mark.exists()
    assert done.returncode == 0, done.stderr
    assert (out / "results.json").is_file()


def test_a_planted_module_would_be_found_without_care(tmp_path: Path, mark: Path) -> None:
    _plant(tmp_path, ["click"], mark)
    _run("-c", "import autograder.cli", cwd=tmp_path)
    assert mark.exists()


def test_the_installed_command_drops_the_working_directory_too() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'attn = "autograder.__main__:main"' in text


@pytest.mark.parametrize("path", ["", ".", "HAND_IN"])
def test_a_grade_cell_imports_nothing_from_the_hand_in(
    path: str, tmp_path: Path, kit: Path, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in = _notebook(tmp_path / "eve", RIGHT)
    _plant(hand_in, ["random", "greenlet", "rich", "numpy"], mark)
    monkeypatch.chdir(hand_in)
    monkeypatch.setenv("ATTN_KIT", str(kit))
    monkeypatch.setenv("PYTHONPATH", str(hand_in) if path == "HAND_IN" else path)
    assert gradecell.graded("twice").score > 0
    assert not mark.exists()


# A course and its secret


def _course(folder: Path, kit: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / SETTINGS).write_text(f'kit = "{kit.as_posix()}"\nexercises = []\n', "utf-8")
    return folder


def test_a_grade_cell_takes_no_course_from_the_hand_in(
    tmp_path: Path, kit: Path, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = _course(tmp_path / "course", kit)
    hand_in = _notebook(course / "autograded" / "eve" / "attention", WRONG)
    _kit_that_gives_all(hand_in, mark)
    (hand_in / SETTINGS).write_text('kit = "."\nexercises = []\n', "utf-8")
    (hand_in / SECRET).write_text("known", "utf-8")
    monkeypatch.chdir(hand_in)
    assert gradecell.graded("twice").score < 2
    assert not mark.exists()
    assert (course / SECRET).read_text("utf-8") != "known"


def test_a_grade_cell_takes_no_kit_from_a_hand_in_outside_a_course(
    tmp_path: Path, kit: Path, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in = _notebook(kit / "somewhere" / "eve", WRONG)
    _kit_that_gives_all(hand_in, mark)
    (hand_in / SETTINGS).write_text('kit = "."\nexercises = []\n', "utf-8")
    monkeypatch.chdir(hand_in)
    assert gradecell.graded("twice").score < 2
    assert not mark.exists()
    assert not (hand_in / SECRET).exists()


@pytest.mark.parametrize("step", ["submitted", "autograded", "feedback"])
def test_the_course_is_the_one_above_when_a_hand_in_holds_another(
    step: str, tmp_path: Path, kit: Path
) -> None:
    course = _course(tmp_path / "course", kit)
    planted = _course(course / step / "eve" / "attention", kit)
    (planted / "deep").mkdir()
    for start in (planted, planted / "deep"):
        assert find_course(start).root == course.resolve()


def test_the_nearest_course_counts_where_one_stands_in_another(tmp_path: Path, kit: Path) -> None:
    inner = _course(_course(tmp_path / "courses", kit) / "2027", kit)
    assert find_course(inner).root == inner.resolve()


def test_a_folder_in_no_course_has_none(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="attn course init"):
        find_course(tmp_path)


# A kit


@pytest.mark.parametrize(
    "graded", [".", "..", "softmax.py", "../eve", "../../submissions", "elsewhere .."]
)
def test_a_kit_in_what_is_graded_is_refused(
    graded: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in = small_kit(tmp_path / "submissions" / "eve")
    (hand_in / "softmax.py").write_text(RIGHT, "utf-8")
    monkeypatch.chdir(hand_in)
    with pytest.raises(KitNotFound, match="--kit DIR") as caught:
        find_kit(graded=[Path(each) for each in graded.split()], lang="en")
    assert str(hand_in) in str(caught.value)
    with pytest.raises(KitNotFound, match="--kit DIR") as caught:
        find_kit(graded=[Path(each) for each in graded.split()], lang="zh")
    assert "学生" in str(caught.value)


def test_a_kit_named_from_the_working_directory_is_refused_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in = small_kit(tmp_path / "eve")
    monkeypatch.chdir(hand_in)
    monkeypatch.setenv("ATTN_KIT", ".")
    with pytest.raises(KitNotFound, match="--kit DIR"):
        find_kit(graded=[Path()], lang="en")


def test_a_kit_that_is_named_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = small_kit(tmp_path / "kit")
    monkeypatch.chdir(folder)
    assert find_kit(folder, graded=[Path()]).root == folder
    monkeypatch.setenv("ATTN_KIT", str(folder))
    assert find_kit(graded=[Path()]).root == folder


@pytest.mark.parametrize("graded", ["tests/submissions", "tests/submissions/anna.py", "../other"])
def test_a_kit_above_or_beside_the_hand_ins_is_taken(
    graded: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_kit(tmp_path / "kit")
    (folder / "tests" / "submissions").mkdir(parents=True)
    (folder / "tests" / "submissions" / "anna.py").write_text(RIGHT, "utf-8")
    (tmp_path / "other").mkdir()
    for here in (folder, folder / "tests"):
        monkeypatch.chdir(here)
        path = folder / graded
        assert find_kit(graded=[Path(os.path.relpath(path))]).root == folder


def test_the_engines_own_kit_is_taken_wherever_the_hand_ins_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    for graded in ("tests/sample_class/submissions", ".", ".."):
        assert find_kit(graded=[Path(graded)]).root == ROOT
    monkeypatch.setattr(exercise, "_SOURCE_TREE", tmp_path)
    with pytest.raises(KitNotFound):
        find_kit(graded=[Path()])
    assert find_kit(graded=[Path("tests/sample_class/submissions")]).root == ROOT


def test_a_planted_kit_grades_nobody_when_the_command_runs_in_a_hand_in(
    tmp_path: Path, mark: Path
) -> None:
    hand_in = _notebook(tmp_path / "eve", WRONG)
    _kit_that_gives_all(hand_in, mark)
    shutil.rmtree(hand_in / "exercises", ignore_errors=True)
    out = tmp_path / "out"
    done = _run("-m", "autograder", "grade", ".", "--out", str(out), "--lang", "zh", cwd=hand_in)
    assert (done.returncode, mark.exists(), out.exists()) == (2, False, False)
    assert "--kit DIR" in done.stderr
    assert "学生" in done.stderr
