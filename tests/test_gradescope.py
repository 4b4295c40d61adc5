"""The Gradescope autograder, run as Gradescope runs it: a tree like /autograder, and its script."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from autograder import gradescope
from autograder.exercise import Kit, given_sources

WRONG = "import numpy as np\n\n\ndef softmax(x, axis=-1):\n    return np.exp(x)\n"


@pytest.fixture(scope="module")
def root(kit: Kit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("autograder")
    packed = gradescope.pack(kit, root / "autograder.zip")
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(root / "source")
    packed.unlink()
    for folder in ("submission", "results"):
        (root / folder).mkdir()
    (root / "submission_metadata.json").write_text('{"users": [{"id": 42}]}', "utf-8")
    return root


def run(root: Path) -> subprocess.CompletedProcess[str]:
    script = root / "source" / "run_autograder"
    environment = {
        "AUTOGRADER_ROOT": str(root),
        "AUTOGRADER_PYTHON": sys.executable,
        "PATH": os.environ["PATH"],
    }
    call = ["bash", str(script)]
    return subprocess.run(call, env=environment, capture_output=True, text=True, timeout=120)


def test_a_hand_in_is_graded_by_what_the_zip_holds(root: Path, kit: Kit) -> None:
    for name, text in given_sources(kit).items():
        (root / "submission" / f"{name}.py").write_text(text, "utf-8")
    (root / "submission" / "softmax.py").write_text(WRONG, "utf-8")
    done = run(root)
    assert done.returncode == 0, done.stderr
    told = json.loads((root / "results" / "results.json").read_text("utf-8"))
    assert 90 <= told["score"] < 100
    assert sum(test["score"] for test in told["tests"]) == told["score"]
    lost = {test["tags"][0] for test in told["tests"] if test["status"] == "failed"}
    assert lost == {"softmax"}


def test_no_results_stand_where_the_kit_itself_fails(root: Path) -> None:
    results = root / "results" / "results.json"
    results.unlink(missing_ok=True)
    grader = root / "source" / "kit" / "autograder" / "graders" / "test_heads.py"
    before = grader.read_text("utf-8")
    grader.write_text("def test_(:\n", "utf-8")
    try:
        assert run(root).returncode == 3 and not results.exists()
    finally:
        grader.write_text(before, "utf-8")


def test_the_zip_has_its_scripts_at_the_root(root: Path) -> None:
    assert {"setup.sh", "run_autograder", "secret", "kit"} <= {
        each.name for each in (root / "source").iterdir()
    }
    for script in ("setup.sh", "run_autograder"):
        subprocess.run(["bash", "-n", str(root / "source" / script)], check=True)


@pytest.mark.parametrize("text", ["", "{}", '{"users": []}', '{"users": [7]}'])
def test_somebody_is_graded_where_the_metadata_names_nobody(text: str, tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(text, "utf-8")
    assert gradescope.student_of(tmp_path / "m.json") == "submission"
