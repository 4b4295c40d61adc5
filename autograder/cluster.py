"""Grades on a Dask cluster: batches of submissions go out, packed results come back.

The same `Grader` runs in each worker process, with a sandbox of its own. Graders, solutions,
mistakes and the seed travel in a direct call to each worker and stay in its memory: they are no
task and no data of the scheduler's, which it might write to a disk. A worker that is lost takes
nothing with it: Dask runs its batch elsewhere. A submission that ends every worker it comes to is
run by itself in the end, and set aside by name. What is done with results is not known here.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import itertools
import logging
import math
import pickle
import threading
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import Any

from autograder import __version__, messages
from autograder.crew import Done, Work, grade_one
from autograder.grade import KitFault
from autograder.grader import Grader, Recipe
from autograder.journal import engine
from autograder.packed import Packed, pack
from autograder.results import not_graded
from autograder.sandbox import IsolationTooWeak, SandboxFault
from autograder.submission import Submission

BATCH = 64
CONNECT_SECONDS = 30
ALONE_SECONDS = 120.0  # without any worker, before the run gives up
KEPT = "what is graded is kept, and the same command (without --force) goes on from there"
GONE = f"the cluster's scheduler is gone; {KEPT}"
TLS = "see docs/instructor.md, “On a cluster”"
Batch = list[tuple[int, Submission]]


class ClusterError(Exception):
    """The cluster cannot be used; the message is a sentence with the way out."""


class Cluster:
    """Grades on the workers of the scheduler at `address`.

    Attributes
    ----------
    isolation : tuple of str
        The level and layers of the weakest worker that took part.

    Raises
    ------
    ClusterError
        Where the cluster is not there, or its workers lack this kit.
    KitFault, SandboxFault, IsolationTooWeak
        As a grading process does at its start.
    """

    def __init__(self, recipe: Recipe, address: str, lanes: int, count: int) -> None:
        try:
            self._dask = importlib.import_module("distributed")
        except ImportError:
            raise ClusterError(
                "--cluster needs Dask: pip install 'attention-kit[cluster]'"
            ) from None
        self._lang, self._lanes, self._count = recipe.lang, lanes, count
        self._recipe = pickle.dumps((__version__, engine(), pickle.dumps(recipe)))
        self._name = hashlib.sha256(self._recipe).hexdigest()
        self.isolation: tuple[str, ...] = ()
        self._max_score = 0.0
        self._pending: dict[Any, Batch] = {}
        self._client = self._connected(address)
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            self._prepare()
        except TimeoutError:
            self.close()
            raise ClusterError(f"the scheduler at {address} has no worker") from None
        except BaseException:  # an interrupt too
            self.close()
            raise

    def _connected(self, address: str) -> Any:
        """Give a client of the scheduler.

        A bare connection is tried first: Dask's client, where it finds no scheduler, keeps the
        process for another minute.
        """
        comm = importlib.import_module("distributed.comm")
        tls = address.startswith("tls://")
        try:
            how = self._dask.Security().get_connection_args("client")
            if tls and how.get("ssl_context") is None:
                raise ClusterError(f"{address} needs certificates, and none are named: {TLS}")
            if how.get("require_encryption") and not tls:
                raise ClusterError(
                    f"Dask's configuration here wants encryption, and {address} has none: "
                    f"start the scheduler with it, and write tls:// ({TLS})"
                )

            async def knock() -> None:
                await (await comm.connect(address, timeout=CONNECT_SECONDS, **how)).close()

            asyncio.run(knock())
            return self._dask.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (ValueError, TypeError) as error:
            raise ClusterError(f"{address} is no address like tcp://HOST:PORT: {error}") from None
        except OSError as error:
            way = (
                "its certificates"
                if tls
                else "if it speaks TLS, write tls:// and give certificates"
            )
            raise ClusterError(
                f"no scheduler answers at {address}: {error} ({way}: {TLS})"
            ) from None

    def _prepare(self, worker: str | None = None) -> None:
        """Give a worker, or all of them, what they grade with."""
        told = self._client.run(
            _begin,
            self._name,
            self._recipe,
            workers=None if worker is None else [worker],
            on_error="return",
        )
        begun = 0
        for worker, found in told.items():
            if isinstance(found, KitFault | SandboxFault | IsolationTooWeak | ClusterError):
                raise type(found)(f"worker {worker}: {found}")
            if isinstance(found, ImportError | AttributeError):
                raise self._lacking(worker)
            if isinstance(found, BaseException):
                continue  # it is just being lost: Dask knows
            level, self._max_score = found
            self.isolation = min(self.isolation, level) if self.isolation else level
            begun += 1
        if worker is None and not begun:
            raise ClusterError(f"no worker could begin: {next(iter(told.values()), '')}")

    def _lacking(self, worker: str) -> ClusterError:
        return ClusterError(
            f"worker {worker} lacks this kit: pip install attention-kit=={__version__}"
        )

    # -- running ---------------------------------------------------------------------------

    def run(self, work: Work) -> Done:
        """Give each submission's result with its number, as batches are finished.

        Raises
        ------
        ClusterError
            Where the scheduler ends, or no worker comes back.
        """
        lost = (CancelledError, self._dask.comm.CommClosedError)
        try:
            yield from self._run(work)
        except (*lost, self._dask.client.ClosedClientError) as error:
            raise ClusterError(GONE) from error

    def _run(self, work: Work) -> Done:
        source = iter(work)
        suspects: Batch = []
        more = True
        while more or self._pending:
            workers = max(1, self._workers())  # they come and go while it runs
            size = max(1, min(BATCH, math.ceil(self._count / (4 * workers))))
            while more and len(self._pending) < 2 * workers + 1:
                batch = list(itertools.islice(source, size))
                more = bool(batch)
                if more:
                    self._submit(batch)
            for future in self._ready():
                yield from self._take(future, suspects)
        for suspect in suspects:  # one by one: whoever ends a worker now did so before
            self._submit([suspect])
            while self._pending:
                for future in self._ready():
                    yield from self._take(future, None)

    def _workers(self) -> int:
        told = self._client.scheduler_info(n_workers=-1)
        if "workers" not in told:  # the client has given up to find its scheduler again
            raise ClusterError(GONE)
        return len(told["workers"])

    def _submit(self, batch: Batch) -> None:
        one = [submission for _, submission in batch]
        future = self._client.submit(_grade, self._name, one, self._lanes, pure=False)
        self._pending[future] = batch

    def _ready(self) -> list[Any]:
        """Wait until a batch is finished; give up where no worker is left to finish it."""
        alone = time.monotonic()
        while self._pending:
            try:
                with self._client.as_current():
                    done, _ = self._dask.wait(
                        list(self._pending), timeout=5, return_when="FIRST_COMPLETED"
                    )
                return list(done)
            except TimeoutError:
                if self._workers():
                    alone = time.monotonic()
                elif time.monotonic() - alone > ALONE_SECONDS:
                    raise ClusterError(f"the cluster has lost all its workers; {KEPT}") from None
        return []

    def _take(self, future: Any, suspects: Batch | None) -> Done:
        batch = self._pending.pop(future)
        try:
            told = future.result()
        except self._dask.KilledWorker:
            if suspects is None:
                yield batch[0][0], self._set_aside(batch[0][1])
            else:
                suspects += batch
            return
        except ImportError as error:
            raise self._lacking("that has just joined") from error
        finally:
            future.release()
        if isinstance(told, str):  # the worker is new, or was started again
            self._prepare(told)
            self._submit(batch)
            return
        for (place, _), packed in zip(batch, told, strict=True):
            yield place, packed

    def _set_aside(self, submission: Submission) -> Packed:
        notice = messages.render("unreadable.set-aside", {}, self._lang)
        return pack(
            not_graded(
                submission.id, submission.shown, "unreadable", self._max_score, notice=notice
            )
        )

    def close(self) -> None:
        """Leave no task and no grader on the cluster."""
        if self._client.status == "running":
            if self._pending:
                self._client.cancel(list(self._pending))
            self._client.run(_end, self._name, on_error="ignore")
        else:  # Dask would print how its last try to come back was ended
            logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self._client.close()


# -- in a worker of the cluster --------------------------------------------------------------------

_here: dict[str, Grader] = {}
_making = threading.Lock()


def _begin(name: str, recipe: bytes) -> tuple[tuple[str, ...], float]:
    """Make this process' grader; give its isolation and the points of all exercises."""
    with _making:
        if name not in _here:
            version, copy, found = pickle.loads(recipe)
            if version != __version__:
                raise ClusterError(f"it has attention-kit {__version__}, not {version}")
            if copy != engine():
                raise ClusterError(
                    f"its attention-kit {version} is another copy than the one here, and might "
                    "judge otherwise: install the same one on every node"
                )
            _here[name] = pickle.loads(found).grader()
        grader = _here[name]
    return (grader.sandbox.level, *grader.sandbox.layers), grader.max_score


def _grade(name: str, submissions: list[Submission], lanes: int) -> list[Packed] | str:
    """Grade a batch; give this worker's address where it was not made ready."""
    grader = _here.get(name)
    if grader is None:
        return str(importlib.import_module("distributed").get_worker().address)
    with ThreadPoolExecutor(lanes) as pool:
        return list(pool.map(lambda each: grade_one(grader, each, None), submissions))


def _end(name: str) -> None:
    """Let go of this process' grader."""
    grader = _here.pop(name, None)
    if grader is not None:
        grader.close()
