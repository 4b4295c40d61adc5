"""What lies in a hand-in decides nothing: no module, course, kit or secret is taken from there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
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

# And what a process that Python itself starts imports first.
STARTING = "multiprocessing pickle struct selectors token copyreg socket signal".split()
CLASS = ROOT / "tests" / "sample_class" / "submissions"

# What has a say before the kit: an environment's .pth files, as of a package that is installed to
# be edited, and pytest with its plug-ins, for which it takes a configuration's folder first.
PTH = "import sys; print(*sys.modules)"
PLUG_INS = (
    "import sys, pytest; from importlib.metadata import entry_points;"
    "[each.load() for each in entry_points(group='pytest11')]; print(*sys.modules)"
)


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


@cache
def _before_us(code: str) -> frozenset[str]:
    """Give the modules that are imported before the kit is asked."""
    with tempfile.TemporaryDirectory() as nowhere:
        return frozenset(_run("-P", "-c", code, cwd=Path(nowhere)).stdout.split())


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


@pytest.mark.parametrize("below", ["", "class", "class/eve"])
@pytest.mark.parametrize("safe", ["", "1"])
def test_no_module_comes_from_beside_a_kit_that_runs_where_it_stands(
    below: str, safe: str, tmp_path: Path, mark: Path
) -> None:
    clone = tmp_path / "clone"  # no installed one: found by the working directory, or by its path
    shutil.copytree(ROOT / "autograder", clone / "autograder")
    hand_in = _notebook(clone / "class" / "eve", RIGHT)
    _plant(clone / below, [each for each in SHADOWED if each not in _before_us(PTH)], mark)
    out, kit = tmp_path / "out", small_kit(tmp_path / "kit")
    words = ["grade", str(hand_in), "--out", str(out), "--no-html", "--kit", str(kit), "--jobs=2"]
    path = "" if below == safe == "" else str(clone)
    words = ["-m", "autograder", *words]
    done = _run(*words, cwd=clone / below, PYTHONPATH=path, PYTHONSAFEPATH=safe)
    assert not mark.exists(), mark.read_text("utf-8")
    assert (out / "results.json").is_file(), done.stderr


def test_the_command_starts_where_pythons_own_modules_are(tmp_path: Path) -> None:
    for folder in (Path(os.__file__).parent, Path(pytest.__file__).parents[1]):
        done = _run("-m", "autograder", "--version", cwd=folder)
        assert (done.returncode, done.stderr) == (0, ""), folder


@pytest.mark.skipif(os.name != "posix", reason="a folder in use cannot be removed there")
def test_the_command_starts_in_a_folder_that_is_gone(tmp_path: Path) -> None:
    script = 'mkdir "$1" && cd "$1" && rmdir "$1" && exec "$2" -m autograder --version'
    done = subprocess.run(
        ["sh", "-c", script, "sh", str(tmp_path / "gone"), sys.executable],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("attn")


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


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_no_grading_process_takes_a_module_from_a_class_that_is_the_working_directory(
    jobs: str, tmp_path: Path, mark: Path
) -> None:
    handed_in = tmp_path / "class"
    for name in ("anna", "eve"):
        _notebook(handed_in / name, RIGHT)
    _plant(handed_in, [*SHADOWED, *STARTING], mark)
    kit, out = small_kit(tmp_path / "kit"), tmp_path / "out"
    script = tmp_path / "attn.py"  # as the installed command is: a file elsewhere
    script.write_text(
        "from autograder.__main__ import main\nif __name__ == '__main__':\n    main()\n", "utf-8"
    )
    words = ["grade", ".", "--out", str(out), "--no-html", "--kit", str(kit), "--jobs", jobs]
    done = _run(str(script), *words, cwd=handed_in)
    assert not mark.exists(), mark.read_text("utf-8")
    assert (out / "results.json").is_file(), done.stderr


@pytest.mark.parametrize("words", [["--submission=SUBMISSION"], ["--submission", "SUBMISSION"]])
@pytest.mark.parametrize("outside", [False, True])
def test_pytest_runs_nothing_of_a_hand_in_that_is_graded_by_hand(
    words: list[str], outside: bool, tmp_path: Path, mark: Path
) -> None:
    hand_in = tmp_path / "class" / "eve"
    hand_in.mkdir(parents=True)
    _plant(hand_in, ["conftest", "test_softmax", *SHADOWED, *STARTING], mark)
    (hand_in / "twice.py").write_text(RIGHT, "utf-8")
    (hand_in / "pytest.ini").write_text("[pytest]\npythonpath = .\naddopts = -p evil\n", "utf-8")
    (hand_in / "softmax.py").write_bytes((CLASS / "student-03" / "softmax.py").read_bytes())
    given = [each.replace("SUBMISSION", str(hand_in)) for each in words]
    graders = ROOT
    if outside:
        graders = small_kit(tmp_path / "kit")
        shutil.copy(ROOT / "autograder/graders/conftest.py", graders / "autograder/graders")
        with (graders / "pyproject.toml").open("a", encoding="utf-8") as settings:
            settings.write("\n[tool.pytest.ini_options]\n")
        given.append(f"--kit={graders}")
    asked = ["-q", "-p", "no:cacheprovider", "-k", "test_rows_sum_to_one or test_doubles"]
    done = _run(
        "-m", "pytest", str(graders / "autograder" / "graders"), *given, *asked, cwd=graders
    )
    assert not mark.exists(), mark.read_text("utf-8")
    if outside and len(words) == 2:  # the words are not known in time: they are not taken
        assert done.returncode == 4
        assert "--submission=PATH" in done.stderr
    else:
        assert "score of what ran" in done.stdout, done.stdout + done.stderr


CONFIGURATIONS = {
    "pytest.ini": "[pytest]\npythonpath = .\n",
    ".pytest.ini": "[pytest]\naddopts = -p no:autograder.plugin_words\n",
    "setup.cfg": "[tool:pytest]\npythonpath = .\n",
    "tox.ini": "[pytest]\npythonpath = .\n",
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-p autograder.plugin_words'\n",
    "../pytest.ini": "[pytest]\naddopts = -p autograder.plugin_words\n",
}


# In every order and form for one, in the one that pytest falls for with each.
ORDERS = [(each, " ", True) for each in CONFIGURATIONS]
ORDERS += [("pytest.ini", " ", False), ("pytest.ini", "=", True), ("pytest.ini", "=", False)]


@pytest.mark.parametrize(("name", "form", "first"), ORDERS)
def test_no_configuration_of_a_hand_in_decides_how_pytest_grades_it(
    first: bool, form: str, name: str, tmp_path: Path, mark: Path
) -> None:
    hand_in = tmp_path / "class" / "eve"
    hand_in.mkdir(parents=True)
    (hand_in / name).write_text(CONFIGURATIONS[name], "utf-8")
    before = _before_us(PLUG_INS) if form == " " else ()
    _plant(hand_in, [each for each in (*SHADOWED, *STARTING) if each not in before], mark)
    (hand_in / "twice.py").write_text(RIGHT, "utf-8")
    kit = small_kit(tmp_path / "kit")
    shutil.copy(ROOT / "autograder/graders/conftest.py", kit / "autograder/graders")
    graders = [str(kit / "autograder" / "graders"), f"--kit={kit}"]
    asked = f"--submission{form}{hand_in}".split(" ")
    words = [*asked, *graders] if first else [*graders, *asked]
    done = _run("-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", *words, cwd=tmp_path)
    assert not mark.exists(), mark.read_text("utf-8")
    if form == "=":
        assert (done.returncode, "score of what ran" in done.stdout) == (0, True), done.stdout
    else:  # pytest has read the configuration before anyone else has a say
        assert (done.returncode, "score of what ran" in done.stdout) == (4, False), done.stdout
        assert str((hand_in / name).resolve()) in done.stderr
        assert "--submission=PATH" in done.stderr


def test_a_configuration_that_is_named_is_taken_unless_it_is_the_hand_ins(tmp_path: Path) -> None:
    hand_in = tmp_path / "class" / "eve"
    hand_in.mkdir(parents=True)
    (hand_in / "twice.py").write_text(RIGHT, "utf-8")
    kit = small_kit(tmp_path / "kit")
    shutil.copy(ROOT / "autograder/graders/conftest.py", kit / "autograder/graders")
    for folder, code in ((tmp_path / "class", 0), (hand_in, 4), (tmp_path / "kit", 0)):
        (folder / "mine.ini").write_text("[pytest]\n", "utf-8")
        words = [str(kit / "autograder/graders"), f"--submission={hand_in}", f"--kit={kit}"]
        words += ["-c", str(folder / "mine.ini"), "-p", "no:cacheprovider"]
        done = _run("-m", "pytest", *words, cwd=tmp_path)
        assert done.returncode == code, done.stdout + done.stderr


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
    "graded", [".", "..", "softmax.py", "work", "../eve", "../../submissions", "elsewhere .."]
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
def test_a_kit_that_is_only_met_must_be_named(
    graded: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_kit(tmp_path / "kit")  # it may be a hand-in, and the working directory in it
    (folder / "tests" / "submissions").mkdir(parents=True)
    (folder / "tests" / "submissions" / "anna.py").write_text(RIGHT, "utf-8")
    (tmp_path / "other").mkdir()
    for here in (folder, folder / "tests"):
        monkeypatch.chdir(here)
        path = Path(os.path.relpath(folder / graded))
        with pytest.raises(KitNotFound, match="--kit DIR"):
            find_kit(graded=[path])
        assert find_kit(Path(os.path.relpath(folder)), graded=[path]).root == Path(
            os.path.relpath(folder)
        )
        assert find_kit().root == folder  # nothing is graded: an author's own tools


@pytest.mark.parametrize("graded", [".", "work", "work/softmax.py"])
def test_a_variable_that_names_no_whole_path_names_no_kit_above_what_is_graded(
    graded: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in = small_kit(tmp_path / "eve")
    (hand_in / "work").mkdir()
    (hand_in / "work" / "softmax.py").write_text(RIGHT, "utf-8")
    monkeypatch.chdir(hand_in)
    monkeypatch.setenv("ATTN_KIT", ".")
    with pytest.raises(KitNotFound, match="--kit DIR"):
        find_kit(graded=[Path(graded)], lang="en")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    monkeypatch.setenv("ATTN_KIT", "eve")
    assert find_kit(graded=[Path("class")]).root == Path("eve")


def test_the_engines_own_kit_is_taken_wherever_the_hand_ins_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    for graded in ("tests/sample_class/submissions", ".", ".."):
        assert find_kit(graded=[Path(graded)]).root == ROOT
    monkeypatch.setattr(exercise, "_SOURCE_TREE", tmp_path)
    for graded in ("tests/sample_class/submissions", "."):
        with pytest.raises(KitNotFound):
            find_kit(graded=[Path(graded)])


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
