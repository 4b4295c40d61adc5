"""A student's folder of the small kit, made once, and the command line run in it."""

from __future__ import annotations

import atexit
import functools
import json
import shutil
import tempfile
from pathlib import Path

from click.testing import CliRunner, Result

from autograder.build import NOTEBOOK, build
from autograder.cli import main
from autograder.exercise import read_kit
from autograder.handout import NAME, Handout, Style
from tests.small_kit import small_kit

RIGHT = "def twice(x):\n    return 2 * x\n"
OFF = "def twice(x):\n    return x + 2\n"
RIGHT_TOO = """
from twice import twice


class Quadruple:
    def __init__(self, times=2):
        self.times = times

    def forward(self, x):
        for _ in range(self.times):
            x = twice(x)
        return x
"""


@functools.cache
def _bundle() -> Path:
    root = Path(tempfile.mkdtemp(prefix="desks-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    kit = read_kit(small_kit(root / "kit"))
    build(kit)
    return kit.bundle


def desk_folder(place: Path, *, self_study: bool = False) -> Path:
    """Lay out a fresh student's folder, as a release does."""
    shutil.copytree(_bundle(), place)
    names = ("twice.py", "quadruple.py", NOTEBOOK)
    originals = {name: (place / name).read_text("utf-8") for name in names}
    solutions = {"twice": (Style("solution", RIGHT), Style("adding", "x + x\n"))}
    handout = Handout("v1", "en", originals, solutions if self_study else {})
    (place / NAME).write_text(handout.dumps(), "utf-8")
    return place


def attn(*arguments: object, typed: str | None = None) -> Result:
    """Run the command line in this process."""
    return CliRunner().invoke(main, [str(each) for each in arguments], input=typed)


def in_notebook(folder: Path, grade_id: str, source: str) -> None:
    """Write code into one cell of the folder's notebook."""
    path = folder / NOTEBOOK
    tree = json.loads(path.read_text("utf-8"))
    for cell in tree["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == grade_id:
            cell["source"] = source
    path.write_text(json.dumps(tree), "utf-8")
