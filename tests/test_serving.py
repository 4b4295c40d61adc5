"""A process that workers are forked from rehearses once: what that changes is their speed alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from autograder.confine import MULTIARCH
from autograder.sandbox import Sandbox
from autograder.student import Trouble
from autograder.zygote import PRACTICE

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="no safe fork")

NAMES = [("softmax", ("softmax",)), ("heads", ("split_heads", "concat_heads"))]
# What a student's code could tell its process by, written down where it is asked.
DESCRIBED = """
import builtins, importlib, io, os, random, signal, sys, threading, warnings
import numpy as np

def softmax(x):
    patched = [getattr(each, "__qualname__", repr(each)) for each in (
        builtins.open, io.open, os.remove, os.replace, os.mkdir, os.chdir, builtins.__import__,
        importlib.import_module, sys.breakpointhook)]
    print("later")
    return {
        "modules": " ".join(sorted(sys.modules)),
        "finders": " ".join(type(each).__name__ for each in sys.meta_path),
        "builtin": " ".join(sorted(vars(builtins))),
        "patched": " ".join(patched),
        "system": " ".join(sorted(vars(os))),
        "filters": repr(warnings.filters),
        "signals": " ".join(str(signal.getsignal(n)).split(" at ")[0]
                            for n in sorted(signal.valid_signals())),
        "chance": [random.random(), float(np.random.rand())],
        "arguments": " ".join(sys.argv),
        "surroundings": " ".join(sorted(os.environ)),
        "threads": threading.active_count(),
        "streams": f"{sys.stdout.seekable()} {sys.stdout.isatty()} {sys.stdin.read()!r}",
        "descriptors": " ".join(n for n in map(str, range(64)) if _is_open(int(n))),
        "profile": repr((sys.gettrace(), sys.getprofile(), sys.getrecursionlimit())),
    }

def _is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
"""


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(fork=True) as made:
        yield made


def described(sandbox: Sandbox) -> dict[str, object]:
    files = [("softmax.py", DESCRIBED.encode())]
    worker = sandbox.open(files, exercises=NAMES)
    try:
        worker.prepare("softmax")
        reply = worker.ask("call", "softmax", None, (np.ones(2),), {}, seconds=5.0)
        assert isinstance(reply.value, dict), reply
        assert reply.printed == "later\n"
        return reply.value
    finally:
        worker.close()


def test_a_worker_after_the_rehearsal_finds_what_one_before_it_found(sandbox: Sandbox) -> None:
    first = described(sandbox)
    for _ in range(PRACTICE):
        last = described(sandbox)
    assert last == first
    assert "sample" not in str(last["modules"]).split()
    assert (first["streams"], first["arguments"]) == ("False False ''", "submission")
    assert first["surroundings"] == ""


@pytest.mark.parametrize("times", [1, PRACTICE + 1], ids=["before", "after"])
def test_nothing_of_the_sample_can_be_asked(sandbox: Sandbox, times: int) -> None:
    for _ in range(times):
        code = b"from sample import sample\ndef softmax(x): return sample(x)\n"
        worker = sandbox.open([("softmax.py", code)], exercises=NAMES)
        worker.prepare("softmax")
        reply = worker.ask("call", "softmax", None, (np.ones(2),), {}, seconds=5.0)
        worker.close()
    assert isinstance(reply.value, Trouble)
    assert (reply.value.kind, reply.value.detail) == ("raised", "ModuleNotFoundError")


def test_a_loop_that_never_ends_is_still_named_after_the_rehearsal(sandbox: Sandbox) -> None:
    code = b"def softmax(x):\n    n = 0\n    while n < 1:\n        n = n * 1\n    return x\n"
    found = []
    for _ in range(PRACTICE + 1):
        worker = sandbox.open([("softmax.py", code)], exercises=NAMES)
        worker.prepare("softmax")
        value = worker.ask("call", "softmax", None, (np.ones(2),), {}, seconds=5.0).value
        worker.close()
        assert isinstance(value, Trouble), value
        found.append((value.kind, value.detail, value.line))
    assert found == [("timeout", "loop", 3)] * len(found)


def test_the_rehearsal_gets_through() -> None:
    # Where it fails, nobody is told: workers are merely slower.
    code = "from autograder import serving; serving.warm_up(); serving.rehearse(); print('done')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("done\n", "")


# What is set on an open file stays set, as long as any process has that very opening of it.
FLAGGED = b"""
import fcntl, os
def softmax(x):
    found = []
    for number in range(64):
        try:
            found.append((number, fcntl.fcntl(number, fcntl.F_GETFL)))
            if number != 3:  # the channel
                fcntl.fcntl(number, fcntl.F_SETFL, found[-1][1] ^ os.O_NONBLOCK ^ os.O_APPEND)
        except OSError:
            pass
    return found
"""


def test_what_a_worker_sets_on_its_open_files_no_later_one_sees(sandbox: Sandbox) -> None:
    found = []
    for _ in range(PRACTICE + 2):
        worker = sandbox.open([("softmax.py", FLAGGED)], exercises=NAMES)
        worker.prepare("softmax")
        found.append(worker.ask("call", "softmax", None, (np.ones(2),), {}, seconds=5.0).value)
        worker.close()
    assert [number for number, _ in found[0]] == [0, 1, 2, 3]
    assert found == [found[0]] * len(found)


def test_workers_start_where_few_descriptors_are_allowed() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))\n"
        "from autograder.sandbox import Sandbox\n"
        "with Sandbox(fork=True) as made: print(*(made._try()['layers'][0] for _ in 'abc'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["limits"] * 3, done.stderr


@pytest.mark.parametrize(
    ("folder", "whole"),
    [
        ("/usr/lib/x86_64-linux-gnu", True),
        ("/lib/aarch64-linux-gnu", True),
        ("/usr/lib", False),
        ("/usr/lib64", False),
        ("/opt/conda/lib", False),
        ("/usr/lib/x86_64-linux-gnu/python3.11", False),
        ("/home/student-01/usr/lib/x86_64-linux-gnu", False),
    ],
)
def test_only_a_folder_of_system_libraries_is_readable_whole(folder: str, whole: bool) -> None:
    assert bool(MULTIARCH.fullmatch(folder)) is whole
