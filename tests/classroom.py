"""Small classes for tests: hand-ins on disk, and plans to grade them with a secret of their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.batch import Plan

COLUMNS = """\
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)
"""


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write a hand-in's files, and give its folder."""
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def plan(path: Path, out: Path, **more: Any) -> Plan:
    """Plan to grade `path` into `out`."""
    return Plan(paths=(path,), out=out, secret=b"test", **more)
