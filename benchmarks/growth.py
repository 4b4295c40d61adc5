"""Whether cost a submission grows with the class: one run for each size, results thrown away.

A class is made of the right solutions, each file with a comment of its own: eleven files each, or
with ``--exercise`` one. In one submission in a hundred a function never ends: by a loop in which
nothing changes (``--stuck loop``), that counts for ever (``count``) or has stepped over its end
(``past``), which the worker can show to be endless; by one that it cannot see through (``search``),
which computes until its time limit; by waiting (``wait``); by all in turn with ``mixed``; by none
with ``none``. Printed for each size:
submissions a second, milliseconds a submission of the whole run and from the first result to the
last, the largest grading process and this one, and the seconds between the last result and the
end. Ten thousand of eleven files take about 1 GB of the temporary folder (TMPDIR), which is given
back after each size.

    python benchmarks/growth.py [--sizes 100 1000 10000] [--jobs 2] [--exercise NAME] [--plot FILE]
"""

from __future__ import annotations

import argparse
import itertools
import os
import platform
import resource
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import plots
from class_cost import make_class

from autograder import __version__, batch
from autograder.exercise import find_kit

DEFINE = "def {}(*args, **kwargs):\n"
STUCK = {
    "loop": DEFINE + "    while True:\n        pass\n",
    "count": DEFINE + "    n = 0\n    while True:\n        n += 1\n",
    "past": DEFINE + "    n = 0\n    while n != 5:\n        n += 2\n",
    "search": DEFINE + "    n = 1\n    while n:\n        n = n * 48271 % (2**31 - 1)\n",
    "wait": "import time\n\n\n" + DEFINE + "    time.sleep(3600)\n",
}


@dataclass(frozen=True)
class Run:
    """What one size came to: seconds, and megabytes of memory."""

    size: int
    whole: float
    steady: float  # from the first result to the last
    after: float  # from the last result to the end
    grading: float  # the largest process that grades
    here: float  # the one that hands out and writes

    @property
    def each(self) -> tuple[float, float]:
        """Milliseconds a submission, of the whole run and of its middle."""
        return 1000 * self.whole / self.size, 1000 * self.steady / max(1, self.size - 1)


def one(size: int, jobs: int, html: bool, exercise: str | None, stuck: str) -> Run:
    """Grade a class of `size`."""
    kit = find_kit()
    name = exercise or "softmax"
    ways = list(STUCK.values()) if stuck == "mixed" else [STUCK.get(stuck, "")]
    codes = itertools.cycle([code.format(kit.exercise(name).names[0]) for code in ways])
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "class")
        make_class(kit, folder, size, only=exercise)
        for number in range(50, size, 100) if stuck != "none" else ():
            (folder / f"student-{number:04d}" / f"{name}.py").write_text(next(codes), "utf-8")
        seen: list[float] = []

        def note(*_: object) -> None:
            seen.append(time.perf_counter())

        start = time.perf_counter()
        batch.grade(
            kit,
            batch.Plan(
                (folder,),
                Path(scratch, "out"),
                exercises=(exercise,) if exercise else (),
                jobs=jobs,
                html=html,
                progress=note,
            ),
        )
        end = time.perf_counter()
        shutil.rmtree(folder)
    peaks = [
        resource.getrusage(who).ru_maxrss / 1024
        for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)
    ]
    return Run(size, end - start, seen[-1] - seen[0], end - seen[-1], *peaks)


def main() -> None:
    """Run the sizes and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10000])
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--exercise", help="One exercise, one file a submission.")
    parser.add_argument("--stuck", choices=[*STUCK, "mixed", "none"], default="mixed")
    parser.add_argument("--html", action="store_true", help="Write the pages too.")
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    versions = f"attention-kit {__version__}, Python {platform.python_version()}"
    what = options.exercise or "all exercises"
    pages = "too" if options.html else "not"
    share = "none stuck" if options.stuck == "none" else f"1 % stuck, {options.stuck}"
    print(f"{versions}, {what}, {options.jobs} jobs; {share}; pages {pages}")
    print(f"{'size':>7} {'a second':>9} {'ms each':>8} {'middle':>8} {'grading MB':>11}", end="")
    print(f" {'this MB':>8} {'s after the last':>17}")
    rows = []
    for size in options.sizes:
        run = one(size, options.jobs, options.html, options.exercise, options.stuck)
        rows.append((size, *run.each))
        print(
            f"{size:7} {size / run.whole:9.1f} {run.each[0]:8.2f} {run.each[1]:8.2f}"
            f" {run.grading:11.1f} {run.here:8.1f} {run.after:17.2f}",
            flush=True,
        )
    if options.plot:
        words = f"attn grade, {options.jobs} processes, 1 % of the hand-ins stuck"
        plots.growth(rows, options.plot, words)


if __name__ == "__main__":
    main()
