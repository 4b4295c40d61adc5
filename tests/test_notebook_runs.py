"""The notebook in a real kernel, in a folder that holds nothing but the bundle."""

from __future__ import annotations

import json
import shutil
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
    points = dict.fromkeys(KIT.ids, 1.0)
    (folder / "attention.ipynb").write_text(notebook(KIT, points, solutions=True), "utf-8")
    return folder


def _run(path: Path) -> list[tuple[str, str]]:
    """Run a notebook and give each code cell with what it said."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jupyter warns about itself
        pytest.importorskip("ipykernel", reason="a kernel comes with the extra `course`")
        nbclient = pytest.importorskip("nbclient", reason="nbclient comes with the extra `course`")
        nbformat = pytest.importorskip("nbformat")
        read = nbformat.read(path, as_version=4)
        resources: dict[str, Any] = {"metadata": {"path": str(path.parent)}}
        nbclient.NotebookClient(read, timeout=120, resources=resources).execute()
    return [
        (
            cell.source,
            "".join(
                each.get("text", json.dumps(each, ensure_ascii=False)) for each in cell.outputs
            ),
        )
        for cell in read.cells
        if cell.cell_type == "code"
    ]


def test_every_grade_cell_says_correct_when_the_cells_are_solved(
    bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTN_LANG", "en")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    said = dict(_run(bundle / "attention.ipynb"))
    for exercise in KIT.exercises:
        text = said[f'grade("{exercise.id}")']
        assert f"{exercise.id} · {exercise.title}: correct" in text
