"""Whether writing grows with the class: results of a simulated class, and nothing graded.

`attn grade` runs as it is, but for who grades: answers are drawn from the simulated class, so that
all its time goes into finding, reading, the journal, results.json, pages and report. Each size runs
in a process of its own, twice: from nothing, and again with everything there. Printed are seconds,
milliseconds a hand-in, and the most memory that the process had.

    python benchmarks/writing_growth.py [--sizes 100 1000 10000] [--no-html] [--profile]
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from simulated_class import simulate

from autograder import batch
from autograder.exercise import find_kit
from autograder.packed import Packed, pack
from autograder.rehearse import Stage
from autograder.results import SubmissionResult
from autograder.submission import Submission

DIFFERENT = 300  # hand-ins that are simulated; the class repeats them


class Drawn:
    """Gives each hand-in a result that was drawn before."""

    isolation = ("L2", "nothing was run")

    def __init__(self, models: list[SubmissionResult], pages: batch._Pages | None) -> None:
        self._models, self._pages = models, pages

    def run(self, work: Iterable[tuple[int, Submission]]) -> Iterator[tuple[int, Packed]]:
        """Give them one by one."""
        for place, submission in work:
            found = replace(self._models[place % len(self._models)], id=submission.id)
            if self._pages is not None:
                self._pages(found)
            yield place, pack(found)

    def close(self) -> None:
        """Nothing was opened."""


def one(size: int, html: bool, profile: bool) -> None:
    """Run one size twice, and print its line."""
    kit = find_kit()
    models = list(simulate(Stage(kit), DIFFERENT).submissions)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "class")
        for number in range(size):
            home = folder / f"student-{number:05d}"
            home.mkdir(parents=True)
            (home / "softmax.py").write_text(f"# {number}\n", encoding="utf-8")

        def hands(_: Any, __: Any, ___: Any, pages: batch._Pages) -> Drawn:
            return Drawn(models, pages if html else None)

        batch._hands = hands
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        said = []
        for _ in range(2):
            plan = batch.Plan((folder,), Path(scratch, "out"), html=html, secret=b"benchmark")
            start = time.perf_counter()
            with cProfile.Profile() if profile else tempfile.TemporaryFile() as profiled:
                batch.grade(kit, plan)
            said.append(time.perf_counter() - start)
            if isinstance(profiled, cProfile.Profile):
                pstats.Stats(profiled).sort_stats("cumulative").print_stats(45)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        big = Path(scratch, "out", "results.json").stat().st_size / 2**20
    each = [1000 * seconds / size for seconds in said]
    print(
        f"{size:7} {said[0]:8.1f} {each[0]:8.2f} {said[1]:9.1f} {each[1]:8.2f}"
        f" {before:8.0f} {peak:8.0f} {big:8.1f}",
        flush=True,
    )


def main() -> None:
    """Run each size in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10000])
    parser.add_argument("--no-html", action="store_true")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        one(asked.one, not asked.no_html, asked.profile)
        return
    print(f"{'size':>7} {'first, s':>8} {'ms each':>8} {'again, s':>9} {'ms each':>8}", end="")
    print(f" {'start MB':>8} {'peak MB':>8} {'json MB':>8}", flush=True)
    more = [flag for flag in ("--no-html", "--profile") if flag in sys.argv]
    for size in asked.sizes:
        subprocess.run([sys.executable, __file__, "--one", str(size), *more], check=True)


if __name__ == "__main__":
    main()
