"""What a process of student code starts with: its program text, what it may read, its limits.

The kit is never on such a process' path or disk; it is sent as code, and that is all it gets:
no argument, a few variables, an empty folder. Who starts it, and when, is not known here. Whoever
waits for such a process waits for this module too, so it must not import NumPy.
"""

from __future__ import annotations

import importlib.util
import json
import marshal
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

from autograder.cage import program

INSIDE = (
    "wire", "magics", "cells", "source", "syntax", "untouched", "choice", "imports", "onward",
    "program", "drawer", "awaiting", "confine", "canary", "generator", "shortcuts", "tallies",
    "overshot", "loops", "endless", "volley", "worker", "serving", "zygote",
)  # fmt: skip
# Reads a counted JSON plan from standard input, then counted code; makes its modules, and runs the
# last one. Nothing of what is imported is garbage, so it is not looked for either.
BOOT = """
import gc, json, marshal, os, sys, types
gc.disable()
def read(size):
    data = b""
    while len(data) < size:
        part = os.read(0, size - len(data))
        if not part:
            raise SystemExit
        data += part
    return data
plan = json.loads(read(int(read(12))))
sys.argv = ["submission"]
sys.path.append(plan["packages"])
kit = sys.modules["autograder"] = types.ModuleType("autograder")
for name, code in marshal.loads(read(int(read(12)))):
    made = sys.modules["autograder." + name] = types.ModuleType("autograder." + name)
    setattr(kit, name, made)
    exec(code, vars(made))
for name in plan["preload"]:
    try:
        __import__(name)
    except ImportError:
        pass
sys.path.remove(plan["packages"])
getattr(sys.modules["autograder.zygote"], plan["be"])(plan)
"""
# What a student's file may well import: loaded once, so that a worker finds it ready. The more
# there is, the longer a fork takes.
PRELOAD = (
    "numpy.fft", "numpy.linalg", "numpy.random", "numpy.ma",
    "abc", "ast", "cmath", "collections.abc", "contextlib", "copy", "dataclasses", "enum",
    "functools", "itertools", "json", "math", "operator", "random", "re", "resource", "string",
    "textwrap", "time", "typing", "unicodedata", "warnings", "zlib",
)  # fmt: skip
# The same where a worker can open no file, and so import nothing more.
LATE = (
    "argparse", "array", "asyncio", "base64", "bisect", "calendar", "concurrent.futures.thread",
    "csv", "datetime", "decimal", "difflib", "fractions", "getpass", "glob", "hashlib", "heapq",
    "html", "importlib.util", "inspect", "io", "keyword", "locale", "logging", "mmap", "numbers",
    "numpy.polynomial", "numpy.typing", "pathlib", "pickle", "platform", "pprint", "queue",
    "shutil", "signal", "socket", "statistics", "struct", "subprocess", "tempfile", "threading",
    "timeit", "token", "tokenize", "traceback", "types", "unittest", "uuid", "weakref",
)  # fmt: skip


ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class Loaded:
    """What the processes of one kind have loaded and may read, beside the worker's own.

    Attributes
    ----------
    serve : str
        The module that answers, one of `INSIDE` or of `modules`.
    modules : tuple of str
        Modules of the kit that are sent beside those of the worker.
    preload : tuple of str
        What is imported before the first fork.
    packages : tuple of str
        Folders of installed packages that may be read.
    environment : dict
        Variables beside the few that every such process has.
    """

    serve: str = "serving"
    modules: tuple[str, ...] = ()
    preload: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


WORKER = Loaded()


@dataclass(frozen=True)
class Limits:
    """What one submission's worker may use.

    Attributes
    ----------
    load, total : float
        Seconds of wall time for one preparation, and for everything together.
    cpu : int
        Seconds of processor time.
    memory, address : int
        Bytes of private memory, and of address space.
    file, descriptors : int
        Bytes of one written file; open files.
    """

    load: float = 10.0
    total: float = 120.0
    cpu: int = 60
    memory: int = 512 * 2**20
    address: int = 1536 * 2**20
    file: int = 2**20
    descriptors: int = 64


def plan(be: str, limits: Limits, barrier: Mapping[str, Any], loaded: Loaded = WORKER) -> bytes:
    """Make the counted text and code that a new process reads first."""
    modules = [name for name in INSIDE if name != "zygote"] + [*loaded.modules, "zygote"]
    reach = {**barrier, "packages": [*barrier["packages"], *loaded.packages]}
    text = json.dumps(
        {
            "be": be,
            "packages": str(numpy_folder().parent),
            "serve": loaded.serve,
            "preload": [*PRELOAD, *loaded.preload],
            "late": LATE,
            "limits": asdict(limits),
            "barrier": reach,
        }
    ).encode("ascii")
    code = marshal.dumps([(name, _code(name)) for name in modules])
    return b"%12d%b%12d%b" % (len(text), text, len(code), code)


def _code(name: str) -> CodeType:
    """Give a module's code, from its byte code where that is fresh, without its place on the disk.

    The same Python reads it: `command` starts this very one.
    """
    spec = importlib.util.find_spec(f"autograder.{name}")
    assert spec is not None and spec.loader is not None
    code = spec.loader.get_code(spec.name)  # type: ignore[attr-defined]
    return _placed(code, f"<{name}>")


def _placed(code: CodeType, file: str) -> CodeType:
    inner = (_placed(each, file) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_filename=file, co_consts=tuple(inner))


def numpy_folder() -> Path:
    """Give NumPy's folder without importing it.

    Raises
    ------
    ImportError
        Where it is not installed.
    """
    spec = importlib.util.find_spec("numpy")
    if spec is None or spec.origin is None:
        raise ImportError("NumPy is not installed", name="numpy")
    return Path(spec.origin).parent


def command() -> list[str]:
    """Give the command that starts a Python with nothing of ours or the user's on its path."""
    return [program(), "-P", "-s", "-S", "-B", "-X", "utf8", "-c", BOOT]


def environment() -> dict[str, str]:
    """Give the few variables that a process of student code starts with."""
    kept = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
    return (
        {name: os.environ[name] for name in kept if name in os.environ}
        | dict.fromkeys(ONE_THREAD, "1")
        | {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "HOME": "/"}
    )


def barrier(without: Sequence[str]) -> dict[str, Any]:
    """Give what the new process needs to know about what a worker may reach."""
    numpy = numpy_folder()
    folders = [numpy, numpy.with_name("numpy.libs")]
    filters = Path(__file__).with_name("seccomp.json").read_text(encoding="ascii")
    return {
        "packages": [str(folder) for folder in folders if folder.is_dir()],
        "filters": json.loads(filters),
        "without": list(without),
    }
