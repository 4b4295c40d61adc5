"""A learner goes through all exercises in the notebook: she errs, reads, mends, in every exercise.

The folder is an unpacked release, the kit comes from the wheel in it, and the mistakes are those of
the terminal's path (`tests/typical.py`). In JupyterLab with a headless Chromium where there is one,
and always in a kernel alone. ``ATTN_SHOTS=FOLDER`` keeps pictures of what she sees.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.exercise import BEGIN, END, Kit
from autograder.notebook import notebook
from autograder.release import release, write
from tests.browser.lab import Cells, Lab, Outputs, kernel, lab
from tests.typical import TYPICAL

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)


@pytest.fixture(scope="module")
def zipped(kit: Kit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("released") / "attention.zip"
    write(path, release(kit))
    return path


@pytest.fixture
def folder(zipped: Path, tmp_path: Path) -> Path:
    """What a learner unpacked."""
    with zipfile.ZipFile(zipped) as archive:
        archive.extractall(tmp_path / "attention")
    return tmp_path / "attention"


@pytest.fixture
def python(folder: Path, tmp_path: Path) -> Path:
    """An environment with the kit from the zip's wheel, and the rest from the one that tests."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "own"], check=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(tmp_path / "own")}))
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (site / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n", "utf-8")
    return tmp_path / "own" / ("Scripts" if os.name == "nt" else "bin") / "python"


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Without this repository on the path, and with Jupyter's warnings about itself left aside."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("ATTN_LANG", "en")
    monkeypatch.setenv("ATTN_KIT", "/nowhere")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def solved(kit: Kit) -> dict[str, dict[str, str]]:
    """Give each exercise's solution cells: id and right source."""
    book = json.loads(notebook(kit, dict.fromkeys(kit.ids, 1.0), solutions=True))
    owner = {name: each.id for each in kit.exercises for name in each.names}
    found: dict[str, dict[str, str]] = {each: {} for each in kit.ids}
    for cell in book["cells"]:
        about = cell["metadata"].get("nbgrader", {})
        if about.get("solution"):
            lines = "".join(cell["source"]).split("\n")
            source = "\n".join(line for line in lines if line.strip() not in (BEGIN, END))
            found[owner[about["grade_id"]]][about["grade_id"]] = source
    return found


def told(outputs: Outputs, form: str = "text/plain") -> str:
    """Give what was shown, as one text."""
    return "\n".join(
        str(each.get("data", {}).get(form) or each.get("text", "")) for each in outputs
    )


def walked(cells: Cells, kit: Kit) -> None:
    """Go through all exercises, and find each finding and each pass."""
    for _, outputs in cells.all():  # "Run All" on the untouched notebook stops nowhere
        assert not [each for each in outputs if each.get("ename") == "ModuleNotFoundError"]
    stub = told(cells.ask('check("softmax")'))
    assert "Not started yet" in stub and "softmax.py" not in stub
    for exercise, sources in solved(kit).items():
        right, typical, code = TYPICAL[exercise]
        [place] = [name for name, source in sources.items() if right in source]
        for name, source in sources.items():
            cells.put(name, source.replace(right, typical) if name == place else source)
        wrong = cells.ask(f'check("{exercise}")')
        title = kit.exercise(exercise).title
        assert f"{exercise} · {title}: not yet" in told(wrong), exercise
        assert f"<code>{code}</code>" in told(wrong, "text/html"), exercise
        cells.shot(f"{exercise}-1-finding")
        assert "Hint 1 of 3" in told(cells.ask(f'hint("{exercise}")')), exercise
        cells.put(place, sources[place])
        right_now = cells.ask(f'check("{exercise}")')
        assert f"{exercise} · {title}: correct" in told(right_now), exercise
        cells.shot(f"{exercise}-2-mended")
    whole = cells.ask("check()")
    assert re.search(r"All self-checks pass \(11 of 11 exercises\)", told(whole))
    cells.shot("all")


def graded(cells: Cells, kit: Kit) -> None:
    """Run everything from the top, and find every grade cell pleased."""
    said = {name: told(outputs, "text/html") for name, outputs in cells.all() if name}
    for exercise in kit.exercises:
        assert f"{exercise.id} · {exercise.title}: correct" in said[f"grade_{exercise.id}"]


@pytest.mark.usefixtures("quiet")
def test_all_exercises_pass_at_the_end_of_the_path_in_a_kernel(
    kit: Kit, folder: Path, python: Path
) -> None:
    pytest.importorskip("ipykernel", reason="a kernel comes with the extra `course`")
    with kernel(folder, python) as cells:
        walked(cells, kit)
        graded(cells, kit)


@pytest.mark.usefixtures("quiet")
@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")
def test_all_exercises_pass_at_the_end_of_the_path_in_a_browser(
    kit: Kit, folder: Path, python: Path
) -> None:
    pytest.importorskip("selenium", reason="a browser is driven by selenium")
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    shots = Path(os.environ["ATTN_SHOTS"]) if os.environ.get("ATTN_SHOTS") else None
    assert BROWSER is not None
    with lab(folder, python, BROWSER, shots) as cells:
        assert isinstance(cells, Lab)
        walked(cells, kit)
        graded(cells, kit)
        cells.put("softmax", "def softmax(x, axis=-1):\n    x - x.max()")
        cells.typed('check("softmax")', until="Your function ran but gave nothing back")
        cells.shot("typed-by-hand")
