"""A class on a Dask cluster with one worker process, with two, and with one of two killed.

Each worker process, with all that it starts, is held to a core of its own, as a batch system holds
it (`--free` lets them float: one worker then uses a part of the second core by itself). The class
is half right hand-ins, half those of the sample class. Each round runs the ways in turn, so that a
busy machine slows all alike. Every run's results are compared with those of `--jobs`, but for the
seconds in them.

    python benchmarks/cluster_speed.py [--submissions 200] [--rounds 3] [--free]
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask
import distributed
from class_cost import make_class

from autograder import __version__, batch
from autograder.exercise import Kit, find_kit

SAMPLE = Path("tests", "sample_class", "submissions")
WAYS = ("--jobs 2", "one worker", "two workers", "two, one killed")


def mixed_class(kit: Kit, folder: Path, count: int) -> None:
    """Write `count` hand-ins, each other one out of the sample class."""
    make_class(kit, folder, count)
    models = sorted(path for path in (kit.root / SAMPLE).iterdir() if path.is_dir())
    for number in range(1, count, 2):
        home = folder / f"student-{number:04d}"
        shutil.rmtree(home)
        shutil.copytree(models[number // 2 % len(models)], home)


def hold(core: int) -> int:
    """Hold this process, all its threads and all that it starts from now on, to one core."""
    for thread in Path("/proc/self/task").iterdir():
        os.sched_setaffinity(int(thread.name), {core})
    return os.getpid()


def local_cluster(workers: int, cores: list[int]) -> Any:
    """Start a cluster of this machine, each worker held to one of the `cores`, if there are any."""
    made = distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        silence_logs=50,
    )
    with distributed.Client(made, set_as_default=False) as client:
        names = list(client.scheduler_info(n_workers=-1)["workers"])
        for name, core in zip(names, cores, strict=False):
            client.run(hold, core, workers=[name])
    return made


def one_process(cluster: Any) -> int:
    """Give the process id of one of a cluster's workers."""
    with distributed.Client(cluster, set_as_default=False) as client:
        return int(next(iter(client.run(os.getpid).values())))


def run(
    kit: Kit, folder: Path, out: Path, strike: Callable[[int], None] | None = None, **how: Any
) -> tuple[float, float, list[Any]]:
    """Grade the class; give the seconds, those from the first result to the last, the results."""
    shutil.rmtree(out, ignore_errors=True)
    seen: list[float] = []

    def note(_: Any, done: int, __: int) -> None:
        seen.append(time.perf_counter())
        if strike is not None:
            strike(done)

    plan = batch.Plan((folder,), out, html=False, secret=b"benchmark", progress=note, **how)
    start = time.perf_counter()
    found = batch.grade(kit, plan)
    took = time.perf_counter() - start
    return took, seen[-1] - seen[0], [{**s.to_json(), "seconds": 0} for s in found.submissions]


def main() -> None:
    """Run the rounds and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--free", action="store_true", help="Let workers float over all cores.")
    asked = parser.parse_args()
    kit = find_kit()
    cores = [] if asked.free else sorted(os.sched_getaffinity(0))
    took: dict[str, list[float]] = {way: [] for way in WAYS}
    steady: dict[str, list[float]] = {way: [] for way in WAYS}
    equal = True
    # LocalCluster gives a worker up that is down at that time, be it coming back.
    settings = {"distributed.deploy.lost-worker-timeout": "1 hour"}
    with tempfile.TemporaryDirectory() as scratch, dask.config.set(settings):
        folder, out = Path(scratch, "class"), Path(scratch, "out")
        mixed_class(kit, folder, asked.submissions)
        for number in range(asked.rounds):
            wanted: list[Any] = []
            for way in WAYS:
                if way == "--jobs 2":
                    found = run(kit, folder, out, jobs=2)
                else:
                    with local_cluster(1 if way == "one worker" else 2, cores) as cluster:
                        victim = one_process(cluster) if "killed" in way else None

                        def strike(done: int, victim: int | None = victim) -> None:
                            if victim is not None and done == asked.submissions // 3:
                                os.kill(victim, signal.SIGKILL)

                        address = cluster.scheduler_address
                        found = run(kit, folder, out, strike, cluster=address)
                took[way].append(found[0])
                steady[way].append(found[1])
                wanted = wanted or found[2]
                equal = equal and found[2] == wanted
                print(f"round {number + 1}: {way}: {found[0]:.1f} s", flush=True)
    print(f"\nattention-kit {__version__}, dask {dask.__version__}, {os.cpu_count()} cores")
    print(f"{asked.submissions} hand-ins, {asked.rounds} rounds in turn, medians")
    print(f"{'way':18} {'s':>7} {'first to last, s':>17}")
    for way in WAYS:
        print(
            f"{way:18} {statistics.median(took[way]):7.1f} {statistics.median(steady[way]):17.1f}"
        )
    whole, middle = (
        statistics.median(one / two for one, two in zip(s[WAYS[1]], s[WAYS[2]], strict=True))
        for s in (took, steady)
    )
    print(f"two workers against one: {whole:.2f} times (first to last result: {middle:.2f})")
    print(f"equal results in all runs, seconds aside: {equal}")


if __name__ == "__main__":
    main()
