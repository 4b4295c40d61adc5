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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import plots

from autograder import __version__
from autograder.exercise import find_kit, given_sources

MANY = 40  # so many times as many hand-ins show what the kit's own start costs
PACKAGES = ("nbgrader", "otter-grader", "check50", "numpy")
CHECKS = (
    "softmax(np.zeros((3, 5))).shape == (3, 5)",
    "np.allclose(softmax(np.arange(15.0).reshape(3, 5)).sum(axis=-1), 1)",
    "np.isfinite(softmax(np.array([[1000.0, 1001.0]]))).all()",
    "np.allclose(softmax(np.array([[0.0, np.log(3.0)]])), [[0.25, 0.75]])",
)


class Failed(Exception):
    """A command of one way failed; the message is what it said."""


def clean(**more: str) -> dict[str, str]:
    """Give the environment without what would put this Python's packages into another one's."""
    left = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    return {**{key: value for key, value in os.environ.items() if key not in left}, **more}


def run(command: list[str], folder: Path, **more: str) -> float:
    """Run a command in `folder`; give its seconds."""
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=clean(**more), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(f"{' '.join(command)}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}")
    return time.perf_counter() - start


def environment(folder: Path) -> Path:
    """Make the peers' virtual environment where it is not whole; give its commands' folder."""
    stamp = folder / "installed"
    wanted = " ".join(PACKAGES)
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        print(f"installing {wanted} into {folder}", flush=True)
        venv.create(folder, with_pip=True, clear=True)
        python = str(folder / "bin" / "python")
        run([python, "-m", "pip", "install", "--quiet", *PACKAGES], folder)
        stamp.write_text(wanted, "utf-8")
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


def check50_way(code: str, students: int, commands: Path, scratch: Path) -> Callable[[], float]:
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


def otter_way(code: str, students: int, commands: Path, scratch: Path) -> Callable[[], float]:
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


def nbgrader_way(code: str, students: int, commands: Path, scratch: Path) -> Callable[[], float]:
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
    parser.add_argument("--venv", type=Path, default=Path(".peers"), help="made once, then kept")
    parser.add_argument("--students", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--plot", type=Path, help="a .png or .svg file")
    options = parser.parse_args()
    commands = environment(options.venv.resolve())
    code, count = given_sources(find_kit())["softmax"], options.students
    many = MANY * count
    makers: dict[str, tuple[int, Callable[[Path], Callable[[], float]]]] = {
        f"attn grade, {count} hand-ins": (count, partial(kit_way, code, count)),
        f"attn grade, {many} hand-ins": (many, partial(kit_way, code, many)),
        "check50": (count, partial(check50_way, code, count, commands)),
        "nbgrader autograde": (count, partial(nbgrader_way, code, count, commands)),
        "otter run": (count, partial(otter_way, code, count, commands)),
    }
    seconds: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        ways: dict[str, Callable[[], float]] = {}
        for place, (name, (_, make)) in enumerate(makers.items()):
            with named(name):
                ways[name] = make(Path(scratch, str(place)))
        for number in range(options.rounds):
            for name, way in tuple(ways.items()):
                with named(name, ways):
                    seconds.setdefault(name, []).append(way() / makers[name][0])
                    told = 1000 * seconds[name][-1]
                    print(f"round {number + 1}: {name}: {told:.0f} ms a hand-in", flush=True)
    each = {name: statistics.median(some) for name, some in seconds.items() if name in ways}
    least = min(each.values())
    print(f"\nattention-kit {__version__}, Python {platform.python_version()}")
    print(", ".join(versions(commands)))
    print(f"{count} hand-ins, {options.rounds} rounds in turn; the tool's own start included")
    for name, middle in each.items():
        spread = f"({1000 * min(seconds[name]):.0f} to {1000 * max(seconds[name]):.0f})"
        print(f"{name:28} {1000 * middle:9.0f} ms {spread:>18} {middle / least:7.1f} times")
    if options.plot:
        rows = [(name, seconds[name], name.startswith("attn")) for name in each]
        title = f"One softmax, graded: {count} hand-ins, {options.rounds} rounds in turn"
        plots.ways(rows, options.plot, title)


@contextmanager
def named(name: str, ways: dict[str, Callable[[], float]] | None = None) -> Iterator[None]:
    """Leave a way out whose command fails, and say so: the others go on."""
    try:
        yield
    except Failed as error:
        print(f"{name} is left out: {error}", file=sys.stderr)
        if ways is not None:
            del ways[name]


if __name__ == "__main__":
    main()
