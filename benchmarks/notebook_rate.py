"""Notebooks whose outputs are kept: nbclient with ipykernel, and the kit's own way, in turn.

The same notebooks of each kind are executed one after the other by each way: nbclient as nbgrader
uses it, with a kernel for each notebook; the kit's `Screen`, with a confined process for each. In
each round the kinds and ways take turns, so that a busy machine slows all alike. Counted are the
clock and, on Linux, the processor time of all processes of either way: nbclient waits a part of its
time, and a class is graded by as many processes as there are cores. The start of the kit's
`Screen`, once for a class, is told by itself. Said as well: whether the outputs are equal, pictures
byte for byte, the lines of tracebacks aside.

    python benchmarks/notebook_rate.py [--notebooks 4] [--rounds 5]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import IPython
import nbclient
import nbformat

from autograder import __version__
from autograder.course.screen import Screen
from autograder.exercise import find_kit
from autograder.notebook import DEMONSTRATION, notebook

HEAD = (
    "import numpy as np\nrng = np.random.default_rng(0)\nx = rng.normal(size=(4, 6))",
    "x.round(3)",
    "for row in x:\n    print(row.round(2))",
    "weights = np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)\nprint(weights.sum(axis=-1))",
    "weights.shape, weights.max().round(4)",
)
FALLS = (
    "def scores(Q, K):\n    return Q @ K",
    "scores(np.ones((3, 4)), np.ones((5, 4)))",
    "print('on')\nundefined",
)
PLOT = (
    "import matplotlib.pyplot as plt",
    "plt.imshow(weights)\nplt.colorbar()\nplt.title('weights')\nplt.show()",
)
LEFT = (PLOT[0], PLOT[1].replace("\nplt.show()", ";"))


def notebooks() -> dict[str, list[str]]:
    """Give the cells of each kind: the kit's own notebook with solutions, and more cells."""
    kit = find_kit()
    book = json.loads(notebook(kit, dict.fromkeys(kit.ids, 1.0), solutions=True))
    cells = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    own = [cell for cell in cells if not cell.startswith(("grade(", "from autograder import"))]
    bare = [cell for cell in own if not cell.startswith(DEMONSTRATION)]
    return {
        "a few cells": [*HEAD],
        "solutions only": bare,
        "solutions, demonstrations": own,
        "the same, results, errors": [*own, *HEAD, *FALLS],
        "the same, and a plot": [*own, *HEAD, *PLOT],
        "a plot without show()": [*own, *HEAD, *LEFT],
    }


def by_nbclient(cells: Sequence[str]) -> list[list[dict[str, Any]]]:
    """Execute as nbgrader does; give each cell's outputs."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in cells])
    nbclient.NotebookClient(book, kernel_name="python3", allow_errors=True).execute(
        stderr=subprocess.DEVNULL  # the kernel's own remarks
    )
    return [[dict(output) for output in cell.outputs] for cell in book.cells]


def plain(outputs: Sequence[Sequence[dict[str, Any]]]) -> list[list[Any]]:
    """Give outputs without what is no difference: tracebacks' lines, pieces of one stream."""
    found = []
    for cell in outputs:
        kept: list[Any] = []
        for output in cell:
            if output["output_type"] == "error":
                kept.append(("error", output["ename"], output["evalue"]))
            elif output["output_type"] == "stream":
                # A kernel sends what was printed when it has time to: the pieces are no matter.
                before = (
                    kept.pop()[2] if kept and kept[-1][:2] == ("stream", output["name"]) else ""
                )
                kept.append(("stream", output["name"], before + output["text"]))
            else:
                kept.append((output["output_type"], dict(output["data"])))
        found.append(kept)
    return found


def spent(zygote: int) -> float:
    """Give the processor seconds of this process, its ended children, the zygote and its own."""
    ours = os.times()
    stat = Path(f"/proc/{zygote}/stat")
    theirs = stat.read_text().rsplit(")", 1)[1].split()[11:15] if stat.exists() else []
    return sum(ours[:4]) + sum(map(int, theirs)) / os.sysconf("SC_CLK_TCK")


def timed(way: Callable[[], object], count: int, zygote: int) -> tuple[float, float]:
    """Give the seconds of one of `count` runs, by the clock and of processors."""
    start, used = time.perf_counter(), spent(zygote)
    for _ in range(count):
        way()
    return (time.perf_counter() - start) / count, (spent(zygote) - used) / count


def main() -> None:
    """Run the rounds and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notebooks", type=int, default=4, help="of each kind, in each round")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    kinds = notebooks()
    begun = time.perf_counter()
    with Screen() as screen:
        screen.run(["1"])
        start = time.perf_counter() - begun
        zygote = screen.zygote_pid or 0

        def ours(cells: Sequence[str]) -> list[list[dict[str, Any]]]:
            return [list(shown.outputs) for shown in screen.run(cells)]

        equal = {
            kind: plain(ours(cells)) == plain(by_nbclient(cells)) for kind, cells in kinds.items()
        }
        took: dict[str, list[tuple[float, ...]]] = {kind: [] for kind in kinds}
        for _ in range(asked.rounds):
            for kind, cells in kinds.items():
                theirs = timed(partial(by_nbclient, cells), asked.notebooks, zygote)
                own = timed(partial(ours, cells), asked.notebooks, zygote)
                took[kind].append((*theirs, *own))
    names = f"nbclient {nbclient.__version__}, IPython {IPython.__version__}"
    print(f"attention-kit {__version__}, {names}, Python {platform.python_version()}")
    print(f"{asked.notebooks} notebooks a round, {asked.rounds} rounds in turn, medians")
    print(f"the kit's start, once: {start:.2f} s\n")
    print(f"{'ms':28} {'cells':>5}   nbclient       kit   times      (processor time)  equal")
    for kind, rounds in took.items():
        clock, cpu, our_clock, our_cpu = (
            1000 * statistics.median(each) for each in zip(*rounds, strict=True)
        )
        times = statistics.median(theirs / own for theirs, _, own, _ in rounds)
        of_cpu = statistics.median(theirs / own for _, theirs, _, own in rounds)
        print(
            f"{kind:28} {len(kinds[kind]):5} {clock:10.0f} {our_clock:9.1f} {times:7.1f}"
            f" {cpu:7.0f} {our_cpu:7.1f} {of_cpu:6.1f}  {equal[kind]}"
        )


if __name__ == "__main__":
    main()
