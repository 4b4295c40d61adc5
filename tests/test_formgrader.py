"""What formgrader's button does, through the same call: bounded in time, by the newest graders."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from course_class import KIT, attn, changed, hand_in, points, right, run
from test_course_class import after, many, source

pytest.importorskip("nbgrader", reason="the course extra is not installed")
pytest.importorskip("matplotlib", reason="the course extra is not installed")

pytestmark = pytest.mark.xdist_group("formgrader")

LOOP = "while True: pass"
# The limits are made short, so that the test is: three seconds of cells, four of grading.
PRESS = """
import json, sys, time
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader
from autograder import pupil
from autograder.course import screen
screen.CELL_SECONDS, screen.NOTEBOOK_SECONDS, pupil.SUBMISSION_SECONDS = 1.0, 3.0, 4.0
config = PyFileConfigLoader("nbgrader_config.py", path=".").load_config()
api = NbGraderAPI(CourseDirectory(config=config), config=config)
for student, step in (each.split("=") for each in sys.argv[1:]):
    if step:
        exec(open(step).read())
    start = time.monotonic()
    told = api.autograde("attention", student, force=True, create=True)
    print(json.dumps([student, time.monotonic() - start, told["success"], told.get("log", "")]))
"""
EDIT = """
import pathlib
path = pathlib.Path(r"{path}")
path.write_text(path.read_text("utf-8").replace("@points(1)", "@points(0.5)", 1), "utf-8")
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A course with its own copy of the kit, and four hand-ins of which one is stuck."""
    base = tmp_path_factory.mktemp("formgrader")
    kit = base / "kit"
    for part in ("solutions", "exercises", "autograder/graders", "autograder/mistakes"):
        shutil.copytree(KIT / part, kit / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(KIT / "pyproject.toml", kit / "pyproject.toml")
    folder = base / "course"
    done = attn("course", "init", folder, "--kit", kit)
    assert done.returncode == 0, done.stderr
    # As formgrader's own button releases; what students get beside it is no matter here.
    done = run("nbgrader", "generate_assignment", "attention", cwd=folder)
    assert done.returncode == 0, done.stderr
    book = right(folder)
    stuck = many(
        *(after(f"{LOOP}  # {number}") for number in range(12)),
        source("softmax", f"def softmax(x, axis=-1):\n    {LOOP}\n"),
        source("causal_mask", f"def causal_mask(n):\n    {LOOP}\n"),
        source("ascii_heatmap", f"{LOOP}\n"),
    )
    for student, change in (("a", lambda b: None), ("stuck", stuck), ("z", lambda b: None)):
        hand_in(folder, student, {"attention.ipynb": changed(book, change)})
    (folder / "press.py").write_text(PRESS, "utf-8")
    grader = kit / "autograder" / "graders" / "test_causal_mask.py"
    (folder / "edit.py").write_text(EDIT.format(path=grader), "utf-8")
    yield folder


def _press(course: Path, *students: str) -> list[list[Any]]:
    done = run("press", *students, cwd=course, PYTHONPATH=f"{KIT}")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]


def test_a_stuck_student_keeps_the_button_for_no_longer_than_the_limits(course: Path) -> None:
    start = time.monotonic()
    told = {each[0]: each[1:] for each in _press(course, "a=", "stuck=", "z=")}
    assert time.monotonic() - start < 90
    seconds, success, _ = told["stuck"]
    assert success
    # A cell that is running when time is up has ten seconds of its own; the machine is busy.
    assert seconds < told["a"][0] + 3.0 + 4.0 + 10.0 + 20.0
    found = points(course)
    assert sum(score or 0 for score in found["a"].values()) == 100
    assert found["a"] == found["z"]
    assert found["stuck"]["softmax"] == 0.0


def test_an_edited_grader_counts_at_the_next_press(course: Path) -> None:
    text = (course.parent / "kit/autograder/graders/test_causal_mask.py").read_text("utf-8")
    assert "@points(1)" in text
    _press(course, "a=", "z=edit.py")
    found = points(course)
    assert found["z"]["causal_mask"] == (found["a"]["causal_mask"] or 0.0) - 0.5
