"""Readies a process to be a worker, and serves in it.

What every worker would do for itself is done once, in the process that they are forked from: it
is slow only the first time, and every page of memory that a fork writes into is copied for it.

This runs inside the worker and the zygote: standard library and NumPy only.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import importlib
import io
import os
import random
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograder import endless, generator, syntax, volley, wire
from autograder.worker import Worker

ROUNDS = 3  # of a rehearsal: by then Python has made the code that runs most as fast as it gets
ASKED = 12  # questions in each
SMALL = 512  # bytes of the largest objects that Python keeps side by side, by size
MIN_SIZE = sys.getsizeof(b"")
GAPS = 2**16  # bytes of each size
_filling: list[list[Any]] = []
# As long as what students write, with what they use most.
SAMPLE = b'''"""A sample.

It is nobody's answer to anything.
"""

from __future__ import annotations

import numpy as np


def sample(x, axis=-1):
    """Give the heights above the lowest ground, in steps.

    Parameters
    ----------
    x : ndarray
    """
    ground = np.min(x, axis=axis, keepdims=True)
    heights = np.sqrt(np.abs(x - ground))
    steps = 0.0
    for each in range(3):
        steps += each
    if steps < 0:
        raise ValueError("never")
    return np.floor(heights * steps) + heights.mean(axis=axis, keepdims=True)


def other(a, b, *, dry=None):
    rain = np.cumsum(a, axis=0) @ np.ones_like(b)
    rain = np.where(dry, 0.0, rain) if dry is not None else rain
    return [each for each in rain], {"a": 1}


if __name__ == "__main__":
    print(sample(np.zeros(3)))
'''


def warm_up() -> None:
    """Do once, before a fork, what is slow only the first time; leave the kit's stand-in."""
    sample = syntax.read("sample.py", b"from .x import y\ndef f(x):\n    return x\n")
    sample.units[0].defines.clear()
    text = wire.encode(wire.VALUE, 0, {"x": [1.0, (np.zeros(2), "x", None)]})
    at = wire.HEADER.size + wire.head(text[: wire.HEADER.size], max_raw=64).tree
    wire.decode(text[wire.HEADER.size : at], text[at:])
    generator.Watched().moved()
    sys.argv = ["submission"]
    sys.breakpointhook = _no_debugger
    warnings.simplefilter("ignore")
    np.random.seed(0)
    endless.listen()
    offer_kit()


def offer_kit() -> None:
    """Let ``from autograder import grade`` succeed, with calls that do nothing."""
    for name in [each for each in sys.modules if each.split(".")[0] == "autograder"]:
        del sys.modules[name]
    kit = types.ModuleType("autograder")
    for name in ("grade", "check", "hint", "picture", "prompt", "quiz"):
        setattr(kit, name, lambda *args, **kwargs: None)
    sys.modules["autograder"] = kit


def rehearse() -> None:
    """Be a worker for a sample, and leave no trace of it but speed.

    Python rewrites the code that it runs for the first times. Where that is done before a fork,
    no worker does it again, in a copy of its own.
    """
    for _ in range(ROUNDS):
        with _as_before(), contextlib.suppress(EOFError):
            Worker(_sample_of(SAMPLE), lambda data: None, ["landlock"]).answer()
    gc.unfreeze()
    fill_gaps()


def fill_gaps() -> None:
    """Use up the places that are free between what is kept, so that forks take new pages.

    A new page is empty; one that holds something else has to be copied first.
    """
    gc.collect()
    for size in range(MIN_SIZE, SMALL + 1, 16):
        _filling.append([bytes(size - MIN_SIZE) for _ in range(GAPS // size)])
    _filling.append([object() for _ in range(GAPS // 16)])
    _filling.append([float(each) for each in range(GAPS // 32)])


def _sample_of(text: bytes) -> Callable[[int], bytes]:
    """Give what reads a whole conversation about one file, and then raises EOFError."""
    packer = volley.Packer(lambda value: None)
    asked = [
        packer.question("call", "sample", None, (np.ones((3, 4)) * n,), {"axis": -1}, [])
        for n in range(ASKED)
    ]
    told = {
        "forbidden": {"sample": ["nowhere"]},
        "files": [("sample.py", text)],
        "exercises": [("sample", ("sample",))],
        "given": {},
        "skip": [],
    }
    frames = io.BytesIO(
        wire.order(wire.OPEN, 1, told)
        + wire.order(wire.PREPARE, 2, ["sample"])
        + wire.order(volley.ALL, 3, volley.questions(asked))
    )

    def read(size: int) -> bytes:
        data = frames.read(size)
        if len(data) < size:
            raise EOFError
        return data

    return read


@contextlib.contextmanager
def _as_before() -> Iterator[None]:
    """Undo what a worker changes for its student's code."""
    spaces: list[dict[str, Any]] = [vars(each) for each in (builtins, importlib, io, os)]
    spaces.append(sys.modules)
    before, finders = [dict(each) for each in spaces], list(sys.meta_path)
    try:
        yield
    finally:
        sys.meta_path[:] = finders
        for space, old in zip(spaces, before, strict=True):
            for name in space.keys() - old.keys():
                del space[name]
            space |= {name: each for name, each in old.items() if space.get(name) is not each}


def ends(incoming: int, outgoing: int) -> tuple[Callable[[int], bytes], Callable[[bytes], None]]:
    """Give what reads exactly so many bytes, or raises EOFError, and what writes all of some."""
    waiting = bytearray()

    def read(size: int) -> bytes:
        while len(waiting) < size:
            part = os.read(incoming, max(size - len(waiting), 2**16))
            if not part:
                raise EOFError
            waiting.extend(part)
        found = bytes(waiting[:size])
        del waiting[:size]
        return found

    def write(data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(outgoing, view) :]

    return read, write


def serve(incoming: int, outgoing: int, layers: list[str]) -> None:
    """Be a worker on these two descriptors, until they end."""
    random.seed(0)  # Python seeds it anew in each fork
    try:
        Worker(*ends(incoming, outgoing), layers).serve()
    except EOFError:
        return


def _no_debugger(*args: Any, **kwargs: Any) -> None:
    raise RuntimeError("there is no debugger here")
