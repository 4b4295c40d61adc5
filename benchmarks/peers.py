"""The same softmax hand-ins graded by the kit, nbgrader, Otter and check50, in turn.

Installs the peers into a virtual environment of their own (a few minutes, once), makes a class of
right softmax hand-ins, and gives each grader four checks of the same kind. Each round runs all of
them, one after the other, so that a busy machine slows all alike: trust the ratios. The kit does
more for its time (its own checks, each worker confined), and starts once for the whole class.

    python benchmarks/peers.py [--venv DIR] [--students 5] [--rounds 3] [--plot peers.png]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path

from autograder import __version__
from autograder.exercise import find_kit, given_sources

PACKAGES = ("nbgrader", "otter-grader", "check50", "numpy")
CHECKS = (
    "softmax(np.zeros((3, 5))).shape == (3, 5)",
    "np.allclose(softmax(np.arange(15.0).reshape(3, 5)).sum(axis=-1), 1)",
    "np.isfinite(softmax(np.array([[1000.0, 1001.0]]))).all()",
    "np.allclose(softmax(np.array([[0.0, np.log(3.0)]])), [[0.25, 0.75]])",
)


def run(command: list[str], folder: Path, **more: str) -> float:
    """Run a command in `folder`; give its seconds."""
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **more}, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}")
    return time.perf_counter() - start


def environment(folder: Path) -> Path:
    """Make the peers' virtual environment where it is not there; give its commands' folder."""
    if not (folder / "bin" / "check50").exists():
        venv.create(folder, with_pip=True)
        subprocess.run(
            [folder / "bin" / "python", "-m", "pip", "install", "--quiet", *PACKAGES], check=True
        )
    return folder / "bin"


def versions(commands: Path) -> list[str]:
    """Give the peers' versions."""
    code = "import importlib.metadata as m, sys\nfor n in sys.argv[1:]: print(n, m.version(n))"
    said = subprocess.run(
        [commands / "python", "-c", code, *PACKAGES], capture_output=True, text=True, check=True
    )
    return said.stdout.splitlines()


def cell(source: str, kind: str = "code", **about: object) -> dict[str, object]:
    """Make a notebook's cell."""
    made: dict[str, object] = {"cell_type": kind, "metadata": about, "source": source}
    if kind == "code":
        made |= {"execution_count": None, "outputs": []}
    return made


def notebook(cells: list[dict[str, object]]) -> str:
    """Make a notebook's text."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps(
        {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}
    )


def kit_way(code: str, students: int, scratch: Path) -> Callable[[], float]:
    """Give a function that grades the class with the kit."""
    for number in range(students):
        home = scratch / "class" / f"s{number}"
        home.mkdir(parents=True)
        (home / "softmax.py").write_text(code, "utf-8")
    words = ["grade", "class", "--out", "out", "-e", "softmax", "--no-html", "--force"]
    command = [sys.executable, "-m", "autograder", *words, "--kit", str(find_kit().root)]
    return lambda: run(command, scratch, PYTHONPATH=str(find_kit().root))


def check50_way(code: str, students: int, scratch: Path, commands: Path) -> Callable[[], float]:
    """Give a function that grades the class with check50, offline."""
    checks = scratch / "checks"
    checks.mkdir(parents=True)
    (checks / ".cs50.yaml").write_text("check50: true\n", "utf-8")
    lines = ["import check50, check50.py", "import numpy as np", ""]
    for number, check in enumerate(CHECKS):
        lines += [
            "@check50.check()",
            f"def check_{number}():",
            f'    """check {number}"""',
            '    softmax = check50.py.import_("softmax.py").softmax',
            f"    if not ({check}):",
            '        raise check50.Failure("no")',
            "",
        ]
    (checks / "__init__.py").write_text("\n".join(lines), "utf-8")
    home = scratch / "s"
    home.mkdir()
    (home / "softmax.py").write_text(code, "utf-8")
    command = [str(commands / "check50"), "--dev", "-o", "json", "--", str(checks)]
    path = f"{commands}:{os.environ['PATH']}"
    return lambda: sum(run(command, home, PATH=path) for _ in range(students))


def otter_way(code: str, students: int, scratch: Path, commands: Path) -> Callable[[], float]:
    """Give a function that grades the class with Otter."""
    tests = scratch / "tests"
    tests.mkdir(parents=True)
    cases = [{"code": f">>> import numpy as np\n>>> bool({check})\nTrue"} for check in CHECKS]
    suite = {"cases": cases, "setup": "", "teardown": "", "type": "doctest"}
    test = {"name": "q1", "points": 4, "suites": [suite]}
    (tests / "q1.py").write_text(f"OK_FORMAT = True\ntest = {test!r}\n", "utf-8")
    path = f"{commands}:{os.environ['PATH']}"
    run([str(commands / "otter"), "generate", "-t", "tests", "-o", "a.zip"], scratch, PATH=path)
    (scratch / "s.ipynb").write_text(notebook([cell(code)]), "utf-8")
    command = [str(commands / "otter"), "run", "-a", "a.zip", "s.ipynb"]
    return lambda: sum(run(command, scratch, PATH=path) for _ in range(students))


def nbgrader_way(code: str, students: int, scratch: Path, commands: Path) -> Callable[[], float]:
    """Give a function that grades the class with stock nbgrader."""

    def marks(name: str, **more: object) -> dict[str, object]:
        return {"nbgrader": {"grade_id": name, "schema_version": 3, "locked": False, **more}}

    solution = marks("softmax", solution=True, grade=False, task=False)
    cells = [cell(code, **solution)]
    for number, check in enumerate(CHECKS):
        about = marks(f"c{number}", solution=False, grade=True, task=False, points=1)
        about["nbgrader"]["locked"] = True  # type: ignore[index]
        cells.append(cell(f"import numpy as np\nassert {check}", **about))
    text = notebook(cells)
    for home in ("source/ps1", *(f"submitted/s{n}/ps1" for n in range(students))):
        (scratch / home).mkdir(parents=True)
        (scratch / home / "p.ipynb").write_text(text, "utf-8")
    path = f"{commands}:{os.environ['PATH']}"
    nbgrader = str(commands / "nbgrader")
    run([nbgrader, "generate_assignment", "ps1", "--force"], scratch, PATH=path)
    return lambda: run([nbgrader, "autograde", "ps1", "--force"], scratch, PATH=path)


def main() -> None:
    """Run the rounds, print the table, draw it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--venv", type=Path, default=Path(".peers"))
    parser.add_argument("--students", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    commands = environment(options.venv.resolve())
    code, count = given_sources(find_kit())["softmax"], options.students
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        ways = {
            "attn grade": kit_way(code, count, place / "kit"),
            "attn grade, 40 times as many": kit_way(code, 40 * count, place / "many"),
            "check50": check50_way(code, count, place / "check50", commands),
            "nbgrader autograde": nbgrader_way(code, count, place / "nbgrader", commands),
            "otter run": otter_way(code, count, place / "otter", commands),
        }
        seconds: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(options.rounds):
            for name, way in ways.items():
                seconds[name].append(way())
    sizes = {name: 40 * count if "40" in name else count for name in ways}
    each = {name: 1000 * statistics.median(s) / sizes[name] for name, s in seconds.items()}
    least = each["attn grade, 40 times as many"]
    print(", ".join([f"attention-kit {__version__}", f"Python {platform.python_version()}"]))
    print(", ".join(versions(commands)))
    print(f"{count} hand-ins, {options.rounds} rounds in turn; the tool's own start included")
    for name, ms in each.items():
        print(f"{name:30} {ms:9.0f} ms a hand-in {ms / least:8.1f} times")
    if options.plot:
        plot(each, options.plot)


def plot(each: dict[str, float], path: Path) -> None:
    """Draw milliseconds a hand-in."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3))
    axes.barh(list(each), list(each.values()))
    axes.set_xscale("log")
    axes.set_xlabel("ms a hand-in, median")
    axes.invert_yaxis()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
