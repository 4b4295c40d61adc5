"""What the build makes, what it says of what it did not make, and that it gives nothing away."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.build import build, check_fresh, made
from autograder.exercise import Kit, find_kit, read_kit
from autograder.grade import KitFault, load_checks
from autograder.leak import leaks, solution_statements
from tests.small_kit import GRADER_TWICE, TWICE, small_kit

ROOT = Path(__file__).resolve().parent.parent
FILES = ["attention.ipynb", "checks.json", "quadruple.py", "test_exercises.py", "twice.py"]


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return read_kit(small_kit(tmp_path))


def _mended(kit: Kit, old: str, new: str) -> Kit:
    path = kit.graders / "test_twice.py"
    path.write_text(GRADER_TWICE.replace(old, new), "utf-8")
    return kit


def test_all_files_are_written_when_there_are_none(kit: Kit) -> None:
    assert sorted(path.name for path in build(kit)) == FILES
    assert sorted(path.name for path in kit.bundle.iterdir()) == FILES
    assert check_fresh(kit) == []


def test_nothing_is_written_when_all_is_fresh(kit: Kit) -> None:
    build(kit)
    assert build(kit) == []


def test_bytes_are_the_same_when_built_in_another_place(kit: Kit, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere 课程"
    other.mkdir()
    assert made(read_kit(small_kit(other))) == made(kit)


def test_no_carriage_return_is_written_when_the_sources_have_some(kit: Kit) -> None:
    expected = made(kit)
    for path in [*kit.graders.iterdir(), *(kit.root / "solutions").iterdir()]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert made(read_kit(kit.root)) == expected


def test_points_are_the_exact_sum_in_every_version_of_python(kit: Kit) -> None:
    path = kit.graders / "test_twice.py"
    text = path.read_text("utf-8")
    for whole, tenth in (("(1)", "(0.1)"), ("(2)", "(0.2)"), ("(1)", "(0.3)")):
        text = text.replace(f"@points{whole}", f"@points{tenth}", 1)
    path.write_text(text, "utf-8")
    files = made(read_kit(kit.root))
    assert json.loads(files["checks.json"])["exercises"]["twice"]["about"]["points"] == 0.6
    cells = json.loads(files["attention.ipynb"])["cells"]
    told = [each["metadata"].get("nbgrader", {}) for each in cells]
    assert [each["points"] for each in told if each.get("grade_id") == "grade_twice"] == [0.6]


def test_a_sentence_a_file_is_given_when_nothing_was_built(kit: Kit) -> None:
    assert check_fresh(kit)[0] == "exercises/twice.py is missing: run `attn build`."
    assert len(check_fresh(kit)) == len(FILES)


def test_stale_is_said_when_a_lesson_changed(kit: Kit) -> None:
    build(kit)
    path = kit.root / "solutions" / "twice.py"
    path.write_text(TWICE.replace("Doubles", "Takes twice"), "utf-8")
    assert check_fresh(read_kit(kit.root)) == [
        "exercises/twice.py is stale: run `attn build`.",
        "exercises/attention.ipynb is stale: run `attn build`.",
        "exercises/checks.json is stale: run `attn build`.",  # which tells untouched files
    ]


def test_stale_is_said_when_a_visible_check_changed_and_not_when_a_hidden_one_did(
    kit: Kit,
) -> None:
    build(kit)
    assert check_fresh(_mended(kit, "np.arange(3)", "np.arange(4)")) == []
    assert check_fresh(_mended(kit, "SHAPE = (2, 3)", "SHAPE = (2, 4)")) == [
        "exercises/test_exercises.py is stale: run `attn build`.",
        "exercises/checks.json is stale: run `attn build`.",
    ]


def test_solved_is_said_when_somebody_worked_in_the_folder(kit: Kit) -> None:
    build(kit)
    (kit.bundle / "twice.py").write_text("def twice(x):\n    return 2 * x\n", "utf-8")
    [said] = check_fresh(kit)
    assert said.startswith("exercises/twice.py is already solved (twice is written)")


def test_left_over_is_said_when_no_exercise_makes_a_file(kit: Kit) -> None:
    build(kit)
    (kit.bundle / "thrice.py").touch()
    (kit.bundle / "README.md").touch()
    (kit.bundle / "__pycache__").mkdir()
    (kit.bundle / ".pytest_cache").mkdir()
    assert check_fresh(kit) == [
        "exercises/thrice.py is left over, no exercise makes it: delete it."
    ]


def test_only_visible_checks_and_what_they_use_are_shipped(kit: Kit) -> None:
    text = made(kit)["test_exercises.py"]
    assert "twice_probe(rng)" in text
    assert "twice_SHAPE = (2, 3)" in text
    assert "HIDDEN_MARK" not in text
    assert "integers" not in text.split("# quadruple")[0]


def test_a_helper_and_a_check_stay_apart_when_they_share_a_name(kit: Kit) -> None:
    text = made(_mended(kit, "_probe", "values"))["test_exercises.py"]
    assert "def twice_values(rng)" in text
    assert "def twice__values(student" in text
    assert "x = twice_values(rng)" in text


def test_frozen_numbers_are_those_that_the_check_draws(kit: Kit) -> None:
    data = json.loads(made(kit)["checks.json"])
    assert data["order"] == ["twice", "quadruple"]
    assert data["exercises"]["twice"]["about"]["points"] == 4.0
    assert set(data["exercises"]["twice"]["checks"]) == {"shape_stays", "values"}
    [[_, drawn]] = data["exercises"]["twice"]["checks"]["values"]["rng"]
    [[asked, answer]] = data["exercises"]["twice"]["checks"]["values"]["reference"]
    assert asked == "call twice"
    assert answer["data"] == pytest.approx([2 * each for each in drawn["data"]], rel=1e-8)


REFUSED = {
    "no_visible_check": ("@visible\n", "", "has no @visible check"),
    "frozen_answer": (
        "reference.twice(x))",
        "0.5 * reference.twice(student.twice(x)))",
        "about the student's answer",
    ),
    "reference_fails": ("student.twice(x), ref", "1 + student.twice(x), ref", "does not pass"),
    "other_import": ("import numpy as np", "import random as np", "students' folders"),
    "hidden_name": ("def _probe(rng)", "def _probe(rng, SHAPE=3)", "hides a module-level name"),
    "no_grader": (GRADER_TWICE, "", "holds no check"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_grader_is_refused_when_its_checks_cannot_be_shipped(case: str, kit: Kit) -> None:
    old, new, words = REFUSED[case]
    if case == "other_import":  # and use it where a student would see it
        new += "\n\nWORD = np.__name__\n"
        kit = _mended(kit, old, new)
        path = kit.graders / "test_twice.py"
        path.write_text(path.read_text("utf-8").replace("# both signs", "WORD"), "utf-8")
    else:
        kit = _mended(kit, old, new)
    with pytest.raises(KitFault, match=words):
        made(kit)


# The kit's own exercises/


def test_exercises_are_fresh_in_the_repository() -> None:
    assert check_fresh(find_kit(ROOT)) == []


def test_exercises_are_built_where_the_repository_lies_elsewhere(tmp_path: Path) -> None:
    for part in ("solutions", "exercises", "autograder/graders", "autograder/mistakes"):
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, tmp_path / part)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    assert build(find_kit(tmp_path)) == []


def test_exercises_are_fresh_when_another_processor_computes_them() -> None:
    code = (
        "from pathlib import Path; from autograder import build, exercise;"
        f"print(build.check_fresh(exercise.find_kit(Path({str(ROOT)!r}))))"
    )
    # OpenBLAS then takes kernels of another processor, whose sums differ in the last digits
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_CORETYPE": "Nehalem"}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120
    )
    assert ran.stdout.strip() == "[]", ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def statements() -> set[str]:
    return solution_statements(ROOT)


def test_a_leak_is_seen_when_a_solution_statement_stands_there_with_other_names(
    statements: set[str],
) -> None:
    text = "def g(a):\n    b = np.exp(a)\n    return b / b.sum(axis=c, keepdims=True)\n"
    assert leaks(text, statements)


@pytest.mark.parametrize("path", sorted((ROOT / "exercises").glob("*.*")), ids=lambda p: p.name)
def test_no_solution_statement_is_in_exercises(path: Path, statements: set[str]) -> None:
    assert leaks(path.read_text("utf-8"), statements) == []


def test_no_hidden_check_is_in_exercises() -> None:
    kit = find_kit(ROOT)
    text = (ROOT / "exercises" / "test_exercises.py").read_text("utf-8")
    for exercise, checks in load_checks(kit.graders, kit.ids).items():
        for check in checks:
            shipped = f"def {exercise}__{check.name}(" in text
            assert shipped == check.declared.visible, check.name
            assert (f'"""{check.title}' in text) == check.declared.visible, check.title
