"""Grading on a Dask cluster: the same results, and a lost worker costs nobody a point."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from classroom import plan, write
from click.testing import CliRunner

from autograder import batch, cluster
from autograder.cli import main
from autograder.exercise import Kit, read_kit
from autograder.sandbox import IsolationTooWeak

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
def school(tmp_path: Path) -> Path:
    for number in range(16):
        code = (RIGHT, WRONG, SLOW, "def twice(x:\n")[number % 4]
        write(tmp_path / "class" / f"s{number:02}", {"twice.py": code})
    return tmp_path / "class"


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    with (
        dask.config.set(
            {
                "distributed.scheduler.allowed-failures": 1,
                # LocalCluster gives a worker up that is down at that time, be it coming back.
                "distributed.deploy.lost-worker-timeout": "1 hour",
            }
        ),
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


def test_a_scheduler_that_ends_is_said_and_the_next_run_goes_on(
    little: Kit, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 5.0)  # so long it is looked for anew
    for number in range(16, 48):
        write(school / f"s{number:02}", {"twice.py": RIGHT})
    own = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )
    out, seen = tmp_path / "out", list[str]()

    def end(one: Any, done: int, total: int) -> None:
        seen.append(one.id)
        if len(seen) == 1:
            own.close()

    what = plan(school, out, html=False, progress=end)
    with pytest.raises(cluster.ClusterError, match="scheduler is gone; what is graded is kept"):
        batch.grade(little, replace(what, cluster=own.scheduler_address))
    assert not (out / "results.json").exists()
    again: list[str] = []
    whole = batch.Grader.grade
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            batch.Grader, "grade", lambda self, one: again.append(one.id) or whole(self, one)
        )
        batch.grade(little, replace(what, progress=None))
    assert seen and set(again).isdisjoint(seen) and len(again) + len(seen) == 48


def test_a_client_that_has_given_up_says_that_the_scheduler_is_gone() -> None:
    class GivenUp:
        def scheduler_info(self, **_: object) -> dict[str, object]:
            return {}

    one = object.__new__(cluster.Cluster)
    one._client = GivenUp()  # type: ignore[assignment]
    with pytest.raises(cluster.ClusterError, match="scheduler is gone; what is graded is kept"):
        one._workers()


def test_a_worker_with_another_copy_of_the_kit_is_refused_by_its_name(
    little: Kit, school: Path, tmp_path: Path, local: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "engine", lambda: b"edited here alone")
    what = plan(school, tmp_path / "out", html=False, cluster=local.scheduler_address)
    with pytest.raises(cluster.ClusterError, match=r"worker tcp://.* is another copy"):
        batch.grade(little, what)


def test_no_grader_and_no_secret_comes_to_a_workers_disk(
    home: Path, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A worker whose folders of every kind are its own, to be looked through while it grades.
    own = tmp_path / "worker"
    for variable in ("TMPDIR", "HOME", "XDG_CACHE_HOME", "DASK_TEMPORARY_DIRECTORY"):
        folder = own / variable
        folder.mkdir(parents=True)
        monkeypatch.setenv(variable, str(folder))
    monkeypatch.chdir(own)
    monkeypatch.setattr(tempfile, "tempdir", None)
    (home / "autograder" / "mistakes").mkdir()
    (home / "autograder" / "mistakes" / "twice.py").write_text("# BANK_MARK\n", "utf-8")
    marks = (b"HIDDEN_MARK", b"BANK_MARK", b"BEGIN SOLUTION", b"planted-secret")
    found: set[str] = set()
    looks = [0]
    stop = threading.Event()

    def watch() -> None:
        while not stop.wait(0.02):
            looks[0] += 1
            for path in own.rglob("*"):
                with contextlib.suppress(OSError):
                    if path.is_file():
                        data = path.read_bytes()
                        found.update(f"{path}: {mark!r}" for mark in marks if mark in data)

    watching = threading.Thread(target=watch)
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        dashboard_address=None,
        silence_logs=50,
        local_directory=str(own / "local"),
    ) as there:
        with distributed.Client(there, set_as_default=False) as client:
            [temporary] = client.run(tempfile.gettempdir).values()
            [folder] = client.run(_folder).values()
        watching.start()
        try:
            plans = plan(school, tmp_path / "out", html=False, cluster=there.scheduler_address)
            graded = batch.grade(read_kit(home), replace(plans, secret=b"planted-secret"))
        finally:
            stop.set()
            watching.join()
    assert own in Path(temporary).parents and own in Path(folder).parents
    assert len(graded.submissions) == 16 and looks[0] > 3
    assert not found


def _folder(dask_worker: Any) -> str:
    return str(dask_worker.local_directory)


class Weak(distributed.WorkerPlugin):  # type: ignore[misc]
    """Makes one worker of a cluster confine less than the others."""

    def __init__(self, name: str) -> None:
        self.chosen = name

    def setup(self, worker: Any) -> None:
        from autograder.sandbox import Sandbox

        self.before = Sandbox.level
        if worker.address == self.chosen:
            Sandbox.level = "L0"  # type: ignore[assignment,misc]

    def teardown(self, worker: Any) -> None:
        from autograder.sandbox import Sandbox

        Sandbox.level = self.before  # type: ignore[method-assign]


@pytest.fixture
def weak(local: Any) -> Iterator[str]:
    """Give the address of a worker that confines nothing."""
    with distributed.Client(local.scheduler_address, set_as_default=False) as client:
        client.wait_for_workers(2)
        chosen = sorted(client.scheduler_info(n_workers=-1)["workers"])[-1]
        client.register_plugin(Weak(chosen), name="weak")
        try:
            yield chosen
        finally:
            client.unregister_worker_plugin("weak")


def test_the_level_of_the_weakest_worker_is_told(
    little: Kit, school: Path, tmp_path: Path, local: Any, weak: str
) -> None:
    found = batch.grade(
        little, plan(school, tmp_path / "out", html=False, cluster=local.scheduler_address)
    )
    assert found.isolation[0] == "L0"


def test_a_worker_below_the_required_level_is_refused_by_its_name(
    little: Kit, school: Path, tmp_path: Path, local: Any, weak: str
) -> None:
    plans = plan(school, tmp_path / "out", cluster=local.scheduler_address, require="L1")
    with pytest.raises(IsolationTooWeak, match=weak):
        batch.grade(little, plans)
    assert not (tmp_path / "out" / "results.json").exists()


def test_an_address_where_nothing_answers_is_said(
    home: Path, school: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    arguments = ["grade", school, "--kit", home, "--out", tmp_path / "out"]
    address = "tcp://127.0.0.1:9"
    done = CliRunner().invoke(main, [*map(str, arguments), "--cluster", address])
    assert done.exit_code == 2
    assert address in done.output
