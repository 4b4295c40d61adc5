"""What grading a class costs, as a multiple of the floor: a fork that does the same work.

Floor: fork a process that has NumPy loaded, run the submission's modules, call their functions 60
times, exit. The kit: `attn grade --no-html` over as many right submissions as `.py` files. Both run
on one core, in turn, in one process tree; the medians of the rounds are compared.

    python benchmarks/class_cost.py [--submissions 100] [--rounds 5]
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # who grades starts from byte code

import numpy as np

from autograder import __version__
from autograder.exercise import Kit, find_kit, given_sources

CALLS = 60


def make_class(kit: Kit, folder: Path, count: int, only: str | None = None) -> None:
    """Write `count` right submissions of eleven files each, or of the `only` one."""
    sources = given_sources(kit)
    if only is not None:
        sources = {only: sources[only]}
    for number in range(count):
        home = folder / f"student-{number:04d}"
        home.mkdir(parents=True)
        for name, source in sources.items():
            (home / f"{name}.py").write_text(f"# {home.name}\n{source}", encoding="utf-8")


def floor(folder: Path) -> float:
    """Give the seconds that bare forks take for the whole class."""
    start = time.perf_counter()
    for home in sorted(folder.iterdir()):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = _do_the_work(home)
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0, f"the floor failed on {home}"
    return time.perf_counter() - start


def _do_the_work(home: Path) -> int:
    sys.path.insert(0, str(home))
    sys.dont_write_bytecode = True
    for path in sorted(home.glob("*.py")):
        __import__(path.stem)
    attention = sys.modules["scaled_dot_product_attention"].scaled_dot_product_attention
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 7)), rng.normal(size=(5, 7)), rng.normal(size=(5, 2))
    for _ in range(CALLS):
        attention(Q, K, V)
    return 0


def kit_run(kit: Kit, folder: Path, out: Path) -> float:
    """Give the seconds that `attn grade` takes for the whole class, start and end included."""
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "autograder", "grade", str(folder), "--out", str(out)]
    start = time.perf_counter()
    subprocess.run([*command, "--no-html", "--kit", str(kit.root)], check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    """Run the rounds and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--submissions", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    kit = find_kit()
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "class")
        make_class(kit, folder, options.submissions)
        floors, runs = [], []
        for _ in range(options.rounds):
            floors.append(floor(folder))
            runs.append(kit_run(kit, folder, Path(scratch, "out")))
    each = 1000 / options.submissions
    low, run = statistics.median(floors) * each, statistics.median(runs) * each
    ratios = sorted(b / a for a, b in zip(floors, runs, strict=True))
    print(
        f"attention-kit {__version__}, Python {platform.python_version()}, numpy {np.__version__}"
    )
    print(f"{options.submissions} right submissions of 11 files, {options.rounds} rounds, one core")
    print(f"floor (fork, import, {CALLS} calls)   {low:7.2f} ms a submission")
    print(f"attn grade --no-html            {run:7.2f} ms a submission")
    print(
        f"ratio, median (least to most)   {statistics.median(ratios):7.2f}"
        f" ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    )
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"largest process of the runs     {peak:7.1f} MB")


if __name__ == "__main__":
    main()
