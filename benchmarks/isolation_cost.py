"""What each layer of isolation costs a submission, in milliseconds.

One submission is: start a worker, let it read one file, run it, call its function three times, end
the worker. Each set of layers has a sandbox of its own; they take turns, so that the machine's
moods meet all of them alike. The floor is a bare fork of a process with NumPy loaded that does the
same work and exits. A call is one question and its answer, for a small array.

    python benchmarks/isolation_cost.py [--rounds 200] [--fresh]
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from autograder.sandbox import Sandbox

ALL = ("landlock", "seccomp", "process", "uid")
SETS = {
    "base: own process, limits, protocol": ALL,
    "+ memory hidden, no new privileges": ("landlock", "seccomp", "uid"),
    "+ Landlock": ("seccomp", "uid"),
    "+ seccomp": ("uid",),
    "+ another user, as root": (),
}
CODE = b"""
import numpy as np

def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
NAMES = [("softmax", ("softmax",))]
X = np.random.default_rng(0).normal(size=(3, 5))
CALLS = 3


def floor() -> None:
    """Do one submission's work in a bare fork."""
    child = os.fork()
    if child == 0:
        space: dict[str, object] = {}
        exec(compile(CODE, "softmax.py", "exec"), space)
        for _ in range(CALLS):
            space["softmax"](X)  # type: ignore[operator]
        os._exit(0)
    os.waitpid(child, 0)


def submission(sandbox: Sandbox) -> Callable[[], None]:
    """Give what does one submission's work in a worker."""

    def run() -> None:
        worker = sandbox.open([("softmax.py", CODE)], exercises=NAMES)
        worker.prepare("softmax")
        for _ in range(CALLS):
            worker.ask("call", "softmax", None, (X,), {}, seconds=5.0)
        worker.close()

    return run


def calls(sandbox: Sandbox, count: int) -> list[float]:
    """Give the seconds of single questions to one worker."""
    worker = sandbox.open([("softmax.py", CODE)], exercises=NAMES)
    worker.prepare("softmax")
    taken = []
    for _ in range(count):
        start = time.perf_counter()
        worker.ask("call", "softmax", None, (X,), {}, seconds=5.0)
        taken.append(time.perf_counter() - start)
    worker.close()
    return taken


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--fresh", action="store_true", help="also a whole process for each")
    chosen = parser.parse_args()
    boxes = {name: Sandbox(without=without) for name, without in SETS.items()}
    tasks = {"floor: bare fork, same work": floor}
    tasks |= {name: submission(box) for name, box in boxes.items()}
    if chosen.fresh:
        boxes["fresh"] = Sandbox(fork=False)
        tasks["a whole process for each, all layers"] = submission(boxes["fresh"])
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(chosen.rounds):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            taken[name].append(time.perf_counter() - start)
    print(f"{platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}")
    base = statistics.median(taken["base: own process, limits, protocol"])
    for name, some in taken.items():
        median, least = statistics.median(some), min(some)
        level = boxes[name].level if name in boxes else ""
        share = f"{median / base:5.2f} x base"
        print(f"{name:38} {median * 1e3:7.2f} ms  least {least * 1e3:6.2f}  {share}  {level}")
    for name, box in boxes.items():
        median = statistics.median(calls(box, 10 * chosen.rounds)) * 1e3
        print(f"one call, {name:38} {median:6.3f} ms")
        box.close()


if __name__ == "__main__":
    main()
