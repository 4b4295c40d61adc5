"""Coroutines run in a worker, which may open no socket: they wait for time and threads alone."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import numpy as np
import pytest

from autograder.sandbox import Sandbox
from autograder.student import Reply, Trouble

X = np.arange(6.0).reshape(2, 3)
WAYS = {
    "run": """
async def work(x):
    await asyncio.sleep(0.01)
    return x * 2
def softmax(x):
    return asyncio.run(work(x))
""",
    "gather": """
async def work(x):
    return x
def softmax(x):
    async def both():
        return sum(await asyncio.gather(work(x), work(x)))
    return asyncio.run(both())
""",
    "threads": """
async def work(x):
    one, two = await asyncio.gather(asyncio.to_thread(np.add, x, 0), asyncio.to_thread(slow, x))
    return one + two
def slow(x):
    time.sleep(0.05)
    return x
def softmax(x):
    return asyncio.run(work(x))
""",
    "a loop of its own": """
def softmax(x):
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    made = loop.create_future()
    threading.Timer(0.05, lambda: loop.call_soon_threadsafe(made.set_result, x + x)).start()
    try:
        return loop.run_until_complete(asyncio.wait_for(made, 1.0))
    finally:
        loop.close()
""",
    "a queue": """
async def make(x, queue):
    for row in x:
        await queue.put(row)
async def work(x):
    queue = asyncio.Queue(1)
    making = asyncio.create_task(make(x, queue))
    rows = [await asyncio.wait_for(queue.get(), 1.0) for _ in x]
    await making
    return 2 * np.stack(rows)
def softmax(x):
    return asyncio.run(work(x))
""",
}
HEAD = "import asyncio, threading, time\nimport numpy as np\n"
FORK = pytest.param(
    {"fork": True}, marks=pytest.mark.skipif(sys.platform != "linux", reason="no safe fork")
)
NO_FILES = pytest.param(
    {"without": ("landlock",)},
    marks=pytest.mark.skipif(sys.platform != "linux", reason="filters are Linux's"),
)


@pytest.fixture(
    scope="module", params=[FORK, {"fork": False}, NO_FILES], ids=["forked", "fresh", "no files"]
)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    with Sandbox(**request.param) as made:
        yield made


def answer(sandbox: Sandbox, code: str, seconds: float = 5.0) -> Reply:
    files = [("softmax.py", (HEAD + code).encode())]
    worker = sandbox.open(files, exercises=[("softmax", ("softmax",))])
    try:
        return worker.ask("call", "softmax", None, (X,), {}, seconds=seconds)
    finally:
        worker.close()


@pytest.mark.parametrize("way", WAYS)
def test_a_coroutine_gives_its_answer_in_a_worker(way: str, sandbox: Sandbox) -> None:
    started = time.monotonic()
    reply = answer(sandbox, WAYS[way])
    np.testing.assert_array_equal(reply.value, X + X)
    assert time.monotonic() - started < 5.0  # nobody waits for a wake that is lost


def test_a_coroutine_still_reaches_no_network(sandbox: Sandbox) -> None:
    if sandbox.level < "L2":
        pytest.skip("nothing keeps code from the network here")
    code = """
import socket
def softmax(x):
    told = []
    for way in (
        lambda: socket.socket(), lambda: socket.socketpair(), lambda: __import__("os").pipe(),
        lambda: asyncio.run(asyncio.wait_for(asyncio.open_connection("127.0.0.1", 9), 1.0)),
        lambda: asyncio.run(asyncio.create_subprocess_exec("/bin/true")),
    ):
        try:
            way()
            told.append("done")
        except OSError:
            told.append("refused")
    return told
"""
    assert list(answer(sandbox, code).value) == ["refused"] * 5


def test_a_coroutine_that_waits_for_ever_is_stopped(sandbox: Sandbox) -> None:
    code = "def softmax(x):\n    return asyncio.run(asyncio.Event().wait())\n"
    value = answer(sandbox, code, seconds=1.0).value
    assert isinstance(value, Trouble)
    assert value.kind == "timeout"
