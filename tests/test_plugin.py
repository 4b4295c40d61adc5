"""The graders by hand agree with the batch, check by check."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from classroom import COLUMNS, plan, write
from small_kit import small_kit

from autograder import batch
from autograder.exercise import Kit, given_sources, read_kit

ROOT = Path(__file__).parents[1]


def by_hand(kit: Kit, submission: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", str(kit.graders), f"--submission={submission}"]
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    environment = {**clean, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*command, "-v", "-p", "no:cacheprovider", *more],
        capture_output=True, text=True, env=environment, cwd=kit.root, check=False,
    )  # fmt: skip


@pytest.fixture
def mixed(tmp_path: Path, kit: Kit) -> Path:
    files = {f"{name}.py": text for name, text in given_sources(kit).items()}
    files["softmax.py"] = COLUMNS
    files["causal_mask.py"] = "def causal_mask(n):\n    raise NotImplementedError()\n"
    files["heads.py"] = files["heads.py"].replace("swapaxes(", "moveaxis(X, 0, 0)  # (")
    del files["project_qkv.py"]
    return write(tmp_path / "student-01", files)


def test_by_hand_agrees_with_the_batch(kit, mixed, tmp_path):
    (graded,) = batch.grade(kit, plan(mixed, tmp_path / "out", html=False)).submissions
    ran = by_hand(kit, mixed)
    words = dict(re.findall(r"test_(\w+\.py::test_\w+) (PASSED|FAILED|SKIPPED)", ran.stdout))
    batch_words = {}
    for exercise in graded.exercises:
        for check in exercise.checks:
            word = {"passed": "PASSED", "skipped": "SKIPPED"}.get(check.status, "FAILED")
            batch_words[f"{exercise.exercise}.py::test_{check.check}"] = word
    assert words == batch_words
    assert "FAILED" in words.values() and "SKIPPED" in words.values()
    assert f"score of what ran: {graded.score:g}" in ran.stdout


def test_by_hand_takes_off_what_a_shortcut_costs(kit, tmp_path):
    home = small_kit(tmp_path / "kit")
    solution = home / "solutions" / "twice.py"
    lines = '# forbidden = ["numpy.add"]\n# forbidden_cost = 2\n# ///\n\n'
    solution.write_text(solution.read_text("utf-8").replace("# ///\n\n", lines, 1), "utf-8")
    code = "import numpy as np\ndef twice(x):\n    return np.add(x, x)\n"
    write(tmp_path / "class" / "s1", {"twice.py": code})
    (graded,) = batch.grade(read_kit(home), plan(tmp_path / "class", tmp_path / "out")).submissions
    shutil.copy(kit.graders / "conftest.py", home / "autograder" / "graders")
    ran = by_hand(read_kit(home), tmp_path / "class" / "s1", "--kit", str(home))
    assert "numpy.add" in ran.stdout and "takes 2 off" in ran.stdout, ran.stdout + ran.stderr
    assert f"score of what ran: {graded.score:g}" in ran.stdout
    assert graded.score == 2.0


def test_by_hand_without_a_submission_says_what_to_give(kit):
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", str(kit.graders), "-p", "no:cacheprovider"],
        capture_output=True, text=True, cwd=kit.root, check=False,
        env={**os.environ, "PYTHONPATH": str(kit.root)},
    )  # fmt: skip
    assert ran.returncode == 4
    assert "--submission" in ran.stderr


def test_one_grader_alone_gets_earlier_functions_given(kit, mixed):
    ran = by_hand(kit, mixed, "-k", "test_masked_attention and output")
    assert ran.returncode == 0, ran.stdout
