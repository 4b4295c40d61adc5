"""The notebook in a real kernel, in a folder that holds nothing but the bundle."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from autograder.exercise import find_kit
from autograder.notebook import notebook

ROOT = Path(__file__).resolve().parent.parent
KIT = find_kit(ROOT)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle whose code cells hold the solutions, while its files are stubs."""
    folder = tmp_path_factory.mktemp("bundle") / "exercises"
    shutil.copytree(ROOT / "exercises", folder)
    told = json.loads((folder / "checks.json").read_text("utf-8"))["exercises"]
    points = {each: float(told[each]["about"]["points"]) for each in KIT.ids}
    (folder / "attention.ipynb").write_text(notebook(KIT, points, solutions=True), "utf-8")
    return folder


def _run(path: Path) -> list[tuple[str, str]]:
    """Run a notebook and give each code cell with what it said."""
    return [
        (
            cell.source,
            "".join(
                each.get("text", json.dumps(each, ensure_ascii=False)) for each in cell.outputs
            ),
        )
        for cell in _executed(path)
    ]


def _executed(path: Path) -> list[Any]:
    """Run a notebook in a real kernel and give its code cells."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jupyter warns about itself
        pytest.importorskip("ipykernel", reason="a kernel comes with the extra `course`")
        nbclient = pytest.importorskip("nbclient", reason="nbclient comes with the extra `course`")
        nbformat = pytest.importorskip("nbformat")
        read = nbformat.read(path, as_version=4)
        resources: dict[str, Any] = {"metadata": {"path": str(path.parent)}}
        nbclient.NotebookClient(read, timeout=120, resources=resources).execute()
    return [cell for cell in read.cells if cell.cell_type == "code"]


def test_every_grade_cell_says_correct_when_the_cells_are_solved(
    bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTN_LANG", "en")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    said = dict(_run(bundle / "attention.ipynb"))
    for exercise in KIT.exercises:
        text = said[f'grade("{exercise.id}")']
        assert f"{exercise.id} · {exercise.title}: correct" in text


WRONG = "import numpy as np\ndef softmax(x, axis=-1):\n    return np.exp(x) / np.exp(x).sum(axis=0)"
RIGHT = (
    "def softmax(x, axis=-1):\n    e = np.exp(x - x.max(axis=axis, keepdims=True))\n"
    "    return e / e.sum(axis=axis, keepdims=True)"
)
CALLS = (
    'check("softmax")',
    'check("softmax"); hint("softmax")',
    'kept = check("softmax")',
    "kept",
    'for level in (1, 2):\n    hint("softmax", level)',
    RIGHT + '\ncheck("softmax", lang="zh")',
)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """What each call shows in a real kernel: the data of its outputs."""
    folder = tmp_path_factory.mktemp("calls") / "exercises"
    shutil.copytree(ROOT / "exercises", folder)
    cells = ["from autograder import check, hint", WRONG, *CALLS]
    book = {
        "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
                   "source": text} for text in cells],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 4,
    }  # fmt: skip
    (folder / "calls.ipynb").write_text(json.dumps(book), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATTN_LANG", "en")
        patch.setenv("PYTHONPATH", str(ROOT))
        ran = _executed(folder / "calls.ipynb")
    return {cell.source: [output.data for output in cell.outputs] for cell in ran}


@pytest.mark.parametrize("call", CALLS[:4])
def test_each_check_is_shown_once_when_it_is_a_value_or_not(
    call: str, shown: dict[str, list[Any]]
) -> None:
    count = 2 if ";" in call else 1
    assert len(shown[call]) == count
    page = shown[call][0]["text/html"]
    assert "not yet" in page
    assert "SM-AXIS0" in page
    assert "yours" in page and "target" in page  # the picture: yours beside the target
    assert shown[call][0]["text/plain"].startswith("softmax · Softmax")
    assert "**softmax" in shown[call][0]["text/markdown"]


def test_both_hints_of_a_loop_are_shown(shown: dict[str, list[Any]]) -> None:
    first, second = shown[CALLS[4]]
    assert "Hint 1 of 3" in first["text/html"]
    assert "Hint 2 of 3" in second["text/html"]
    assert "hint(&quot;softmax&quot;, 3)" in second["text/html"]


def test_a_pass_shows_the_exercise_s_picture_in_the_language_asked_for(
    shown: dict[str, list[Any]],
) -> None:
    [passed] = shown[CALLS[5]]
    page = passed["text/html"]
    assert page.startswith('<section lang="zh-Hans"')
    assert "正确" in page
    assert "<table" in page.split("</table>", 1)[1]
    assert "softmax" in page


def _validated(path: Path) -> str:
    """Give what nbgrader's Validate says of a notebook."""
    pytest.importorskip("nbgrader", reason="nbgrader comes with the extra `course`")
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "validate", path.name],
        cwd=path.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT), "ATTN_LANG": "en"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout + done.stderr


def _with_checks(path: Path, source: str = "") -> None:
    """Put a check below each answer; and another text in place of softmax's."""
    book = json.loads(path.read_text("utf-8"))
    cells = []
    for cell in book["cells"]:
        mark = cell["metadata"].get("nbgrader", {})
        if source and mark.get("grade_id") == "softmax":
            cell["source"] = source
        cells.append(cell)
        if mark.get("solution"):
            cells.append({
                "cell_type": "code", "metadata": {}, "outputs": [], "id": f"c{len(cells)}",
                "execution_count": None, "source": 'check("softmax")',
            })  # fmt: skip
    path.write_text(json.dumps({**book, "cells": cells}), "utf-8")


def test_validate_tells_the_truth_when_cells_hold_checks(bundle: Path, tmp_path: Path) -> None:
    folder = tmp_path / "exercises"
    shutil.copytree(bundle, folder)
    _with_checks(folder / "attention.ipynb")
    assert "Success! Your notebook passes all the tests." in _validated(folder / "attention.ipynb")
    _with_checks(folder / "attention.ipynb", WRONG)
    said = _validated(folder / "attention.ipynb")
    assert "Success" not in said
    assert "VALIDATION FAILED" in said
    assert 'grade("softmax")' in said
