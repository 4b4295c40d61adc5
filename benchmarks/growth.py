"""Whether cost a submission grows with the class: one run for each size, results thrown away.

A class is made of the right solutions, each file with a comment of its own; one submission in a
hundred has a softmax that never ends. Printed for each size: submissions a second, the largest
grading process, and the seconds between the last result and the end.

    python benchmarks/growth.py [--sizes 100 1000 10000] [--jobs 2] [--plot growth.png]
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import tempfile
import time
from pathlib import Path

from class_cost import make_class

from autograder import batch
from autograder.exercise import find_kit

STUCK = "def softmax(x, axis=-1):\n    while True:\n        pass\n"


def one(size: int, jobs: int, html: bool) -> tuple[float, float, float]:
    """Grade a class of `size`; give seconds, the largest process in MB, seconds after the last."""
    kit = find_kit()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "class")
        make_class(kit, folder, size)
        for number in range(50, size, 100):
            (folder / f"student-{number:04d}" / "softmax.py").write_text(STUCK, encoding="utf-8")
        last = [0.0]

        def note(*_: object) -> None:
            last[0] = time.perf_counter()

        start = time.perf_counter()
        batch.grade(
            kit,
            batch.Plan((folder,), Path(scratch, "out"), jobs=jobs, html=html, progress=note),
        )
        end = time.perf_counter()
        shutil.rmtree(folder)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return end - start, peak, end - last[0]


def plot(rows: list[tuple[int, float]], path: Path) -> None:
    """Draw seconds a submission over the size of the class."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3.5))
    axes.semilogx([size for size, _ in rows], [1000 * each / size for size, each in rows], "o-")
    axes.set_xlabel("submissions in the class")
    axes.set_ylabel("ms a submission")
    axes.set_ylim(bottom=0)
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main() -> None:
    """Run the sizes and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10000])
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--html", action="store_true", help="Write the pages too.")
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    rows = []
    print(f"{options.jobs} jobs, 1 % stuck")
    print(f"{'size':>7} {'a second':>9} {'ms each':>8} {'largest MB':>11} {'s after the last':>17}")
    for size in options.sizes:
        seconds, peak, after = one(size, options.jobs, options.html)
        rows.append((size, seconds))
        each = 1000 * seconds / size
        print(f"{size:7} {size / seconds:9.1f} {each:8.2f} {peak:11.1f} {after:17.2f}", flush=True)
    if options.plot:
        plot(rows, options.plot)


if __name__ == "__main__":
    main()
