"""The notebook: valid, the same every time, and the one that nbgrader itself would release."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from autograder.exercise import SourceError, find_kit, read_kit
from autograder.notebook import FIRST, notebook
from autograder.stub import stub
from tests.small_kit import QUADRUPLE, small_kit

KIT = find_kit(Path(__file__).resolve().parent.parent)
POINTS = dict.fromkeys(KIT.ids, 1.0)


def _cells(text: str) -> list[dict[str, Any]]:
    cells = json.loads(text)["cells"]
    for cell in cells:
        cell["source"] = "".join(cell["source"])
    return cells


def _roles(cells: list[dict[str, Any]]) -> list[tuple[str, bool, bool, bool]]:
    roles = [cell["metadata"]["nbgrader"] for cell in cells if "nbgrader" in cell["metadata"]]
    return [(each["grade_id"], each["solution"], each["grade"], each["locked"]) for each in roles]


def test_cells_have_nbgraders_roles_when_made_from_a_kit(tmp_path: Path) -> None:
    cells = _cells(notebook(read_kit(small_kit(tmp_path)), {"twice": 4.0, "quadruple": 6.0}))
    assert cells[0]["source"] == FIRST
    assert _roles(cells) == [
        ("imports", False, False, True),
        ("twice", True, False, False),
        ("grade_twice", False, True, True),
        ("Quadruple", True, False, False),
        ("grade_quadruple", False, True, True),
    ]
    grades = [cell for cell in cells if cell["source"].startswith("grade(")]
    assert [cell["source"] for cell in grades] == ['grade("twice")', 'grade("quadruple")']
    assert [cell["metadata"]["nbgrader"]["points"] for cell in grades] == [4.0, 6.0]


def test_imports_between_exercises_go_when_the_notebook_defines_them(tmp_path: Path) -> None:
    root = small_kit(tmp_path)
    path = root / "solutions" / "quadruple.py"
    path.write_text(
        QUADRUPLE.replace("from twice", "import math\n\nimport numpy as np\nfrom twice")
    )
    sources = [
        cell["source"] for cell in _cells(notebook(read_kit(root), {"twice": 1, "quadruple": 1}))
    ]
    assert "import math" in sources
    assert not any("from twice" in source for source in sources)
    assert sum("import numpy as np" in source for source in sources) == 1


def test_imports_inside_a_demo_go_when_the_notebook_defines_them(tmp_path: Path) -> None:
    small_kit(tmp_path)
    path = tmp_path / "solutions" / "quadruple.py"
    demo = (
        'if __name__ == "__main__":\n    import math\n    from twice import twice\n\n    twice(2)\n'
    )
    path.write_text(QUADRUPLE + "\n# %%\n" + demo)
    cells = json.loads(notebook(read_kit(tmp_path), {"twice": 1, "quadruple": 1}))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    assert 'if __name__ == "__main__":\n    import math\n\n    twice(2)' in sources


def test_an_import_that_cannot_go_is_an_error_with_its_line(tmp_path: Path) -> None:
    root = small_kit(tmp_path)
    path = root / "solutions" / "quadruple.py"
    path.write_text(QUADRUPLE.replace("import twice", "import twice as two"))
    with pytest.raises(SourceError, match="line 9: import another exercise's names as"):
        notebook(read_kit(root), {"quadruple": 1.0})


def test_only_chosen_exercises_are_in_it_when_a_course_takes_some(tmp_path: Path) -> None:
    cells = _cells(notebook(read_kit(small_kit(tmp_path)), {"twice": 4.0}))
    assert {cell["id"].split("-")[0] for cell in cells} == {"start", "twice"}


def test_lesson_is_chinese_and_code_the_same_when_asked_for(tmp_path: Path) -> None:
    kit = read_kit(small_kit(tmp_path))
    english, chinese = (
        _cells(notebook(kit, {"twice": 4.0})),
        _cells(notebook(kit, {"twice": 4.0}, "zh")),
    )
    assert [cell["id"] for cell in english] == [cell["id"] for cell in chinese]
    assert "怎样使用这个笔记本" in chinese[1]["source"]
    assert chinese[2]["source"] == "# 翻倍"
    code = [[cell for cell in cells if cell["cell_type"] == "code"] for cells in (english, chinese)]
    assert code[0] == code[1]


@pytest.mark.parametrize("solutions", [False, True], ids=["stubs", "solutions"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_notebook_of_the_kit_is_valid_without_a_warning(lang: str, solutions: bool) -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is a development extra")
    text = notebook(KIT, POINTS, lang, solutions=solutions)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
        nbformat.validate(read)
    ids = [cell["id"] for cell in read.cells]
    assert len(ids) == len(set(ids))
    assert nbformat.writes(read, version=nbformat.NO_CONVERT) + "\n" == text


def test_solutions_are_kept_only_when_asked_for() -> None:
    assert "BEGIN SOLUTION" not in notebook(KIT, POINTS)
    assert notebook(KIT, POINTS, solutions=True).count("BEGIN SOLUTION") >= len(KIT.ids)


def test_nbgraders_own_release_gives_the_same_cells() -> None:
    # nbgrader imports the whole of Jupyter, which warns about itself
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clear = pytest.importorskip(
            "nbgrader.preprocessors.clearsolutions", reason="nbgrader is the extra `course`"
        )
        nbformat = pytest.importorskip("nbformat")
        source = nbformat.reads(notebook(KIT, POINTS, solutions=True), as_version=4)
        released, _ = clear.ClearSolutions().preprocess(source, {})
    assert released.cells == nbformat.reads(notebook(KIT, POINTS), as_version=4).cells


@pytest.mark.parametrize("exercise", KIT.exercises, ids=lambda each: each.id)
def test_jupytext_reads_the_stub_as_the_same_lesson(exercise: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jupytext = pytest.importorskip("jupytext", reason="jupytext is a development extra")
        read = jupytext.reads(stub(exercise), fmt="py:percent")
    lesson = [cell.text for cell in exercise.cells if (cell.kind, cell.lang) == ("markdown", "en")]
    assert [cell.source for cell in read.cells if cell.cell_type == "markdown"] == lesson
