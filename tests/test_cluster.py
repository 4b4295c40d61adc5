"""Grading on a Dask cluster: the same results, and a lost worker costs nobody a point."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from classroom import plan, write
from click.testing import CliRunner
from small_kit import small_kit

from autograder import batch, cluster
from autograder.cli import main
from autograder.exercise import Kit, read_kit

distributed = pytest.importorskip("distributed", reason="needs attention-kit[cluster]")
dask = pytest.importorskip("dask")
pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="workers are killed by signal"),
    pytest.mark.filterwarnings("ignore"),  # Dask's own
    pytest.mark.xdist_group("cluster"),  # one cluster serves them all
]

RIGHT = "def twice(x):\n    return x * 2\n"
SLOW = "import time\ntime.sleep(0.3)\n" + RIGHT
WRONG = "def twice(x):\n    return x\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return small_kit(tmp_path / "kit")


@pytest.fixture
def little(home: Path) -> Kit:
    return read_kit(home)


@pytest.fixture
def school(tmp_path: Path) -> Path:
    for number in range(16):
        code = (RIGHT, WRONG, SLOW, "def twice(x:\n")[number % 4]
        write(tmp_path / "class" / f"s{number:02}", {"twice.py": code})
    return tmp_path / "class"


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=50,
        ) as found,
    ):
        yield found


def plain(found: Any) -> list[dict[str, Any]]:
    return [{**each.to_json(), "seconds": 0} for each in found.submissions]


def test_a_cluster_gives_what_this_machine_gives(
    little: Kit, school: Path, tmp_path: Path, local: Any
) -> None:
    here = batch.grade(little, plan(school, tmp_path / "here", jobs=2))
    there = batch.grade(little, plan(school, tmp_path / "there", cluster=local.scheduler_address))
    assert plain(there) == plain(here)
    assert there.isolation == here.isolation
    assert (tmp_path / "there" / "students" / "s00.html").is_file()


def test_a_worker_that_is_killed_costs_nobody_a_point(
    little: Kit, school: Path, tmp_path: Path, local: Any
) -> None:
    wanted = plain(batch.grade(little, plan(school, tmp_path / "calm", html=False)))
    seen: list[str] = []

    def strike(one: Any, done: int, total: int) -> None:
        seen.append(one.id)
        if done == 3:
            with distributed.Client(local.scheduler_address, set_as_default=False) as client:
                first = next(iter(client.run(os.getpid).values()))
            os.kill(first, signal.SIGKILL)

    found = batch.grade(
        little,
        plan(
            school,
            tmp_path / "rough",
            html=False,
            cluster=local.scheduler_address,
            progress=strike,
        ),
    )
    assert plain(found) == wanted
    assert len(seen) == len(set(seen)) == 16


def test_what_kills_every_worker_is_set_aside_by_name(
    little: Kit, school: Path, tmp_path: Path, local: Any
) -> None:
    write(school / "poison", {"twice.py": RIGHT})

    class Poison(distributed.WorkerPlugin):  # type: ignore[misc]
        def setup(self, worker: Any) -> None:
            from autograder import cluster, crew

            def deadly(grader: Any, submission: Any, finish: Any) -> Any:
                if submission.id == "poison":
                    os._exit(1)
                return crew.grade_one(grader, submission, finish)

            cluster.grade_one = deadly

    with distributed.Client(local.scheduler_address, set_as_default=False) as client:
        client.register_plugin(Poison(), name="poison")
        try:
            found = batch.grade(
                little,
                plan(school, tmp_path / "out", html=False, cluster=local.scheduler_address),
            )
        finally:
            client.unregister_worker_plugin("poison")
    by_id = {each.id: each for each in found.submissions}
    assert by_id["poison"].status == "unreadable" and by_id["poison"].score is None
    assert "set aside" in (by_id["poison"].notice or "")
    assert [each.id for each in batch.troubled(found)] == ["poison"]
    assert len(by_id) == 17


def test_no_grader_comes_to_a_workers_disk(
    little: Kit, school: Path, tmp_path: Path, local: Any
) -> None:
    with distributed.Client(local.scheduler_address, set_as_default=False) as client:
        folders = [Path(each) for each in client.run(_folder).values()]
        found: list[bytes] = []
        stop = threading.Event()

        def watch() -> None:
            while not stop.wait(0.05):
                for path in (path for folder in folders for path in folder.rglob("*")):
                    with contextlib.suppress(OSError):
                        if path.is_file() and b"HIDDEN_MARK" in path.read_bytes():
                            found.append(bytes(path))

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            batch.grade(
                little,
                plan(school, tmp_path / "out", html=False, cluster=local.scheduler_address),
            )
        finally:
            stop.set()
            watching.join()
    assert folders and not found


def _folder(dask_worker: Any) -> str:
    return str(dask_worker.local_directory)


def test_an_address_where_nothing_answers_is_said(
    home: Path, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    arguments = ["grade", school, "--kit", home, "--out", tmp_path / "out"]
    address = "tcp://127.0.0.1:9"
    done = CliRunner().invoke(main, [*map(str, arguments), "--cluster", address])
    assert done.exit_code == 2
    assert address in done.output
