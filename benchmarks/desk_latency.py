"""How long a learner waits: from a save to the verdict of `attn watch`, and for `attn check`.

    python benchmarks/desk_latency.py [--saves 50] [--cold 10]

Starts the real commands on a fresh copy of exercises/, saves softmax.py again and again with
another text each time (half of them by renaming, as many editors do), and reads the clock when the
verdict's last line has come out of the pipe. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RIGHT = """import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis={axis}, keepdims=True)  # save {number}
"""
SAID = {True: "All self-checks of softmax pass", False: "SM-AXIS0"}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--saves", type=int, default=50)
    parser.add_argument("--cold", type=int, default=10)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="attn-latency-") as place:
        folder = Path(place) / "desk"
        shutil.copytree(ROOT / "exercises", folder, ignore=shutil.ignore_patterns("__pycache__"))
        cold = _cold(folder, wanted.cold)
        _tell(f"attn check softmax, cold ({wanted.cold}×)", [wall for wall, _ in cold])
        _tell("  of it, processor time of all its processes", [spent for _, spent in cold])
        _tell(f"attn watch, save to verdict ({wanted.saves}×)", _saves(folder, wanted.saves))
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    print(f"{platform.platform()}, {os.cpu_count()} cores, load {load:.1f} at the end")


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "autograder", *arguments, "--lang", "en"]


def _environment() -> dict[str, str]:
    """Give a learner's: with byte code, which an installed package always has."""
    own = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    own.pop("PYTHONDONTWRITEBYTECODE", None)
    return own


def _cold(folder: Path, times: int) -> list[tuple[float, float]]:
    (folder / "softmax.py").write_text(RIGHT.format(axis="axis", number=0), "utf-8")
    found = []
    for _ in range(times + 1):
        start, spent = time.perf_counter(), _spent()
        command = [*_command("check", "softmax"), "--dir", str(folder)]
        subprocess.run(command, env=_environment(), check=True, capture_output=True)
        found.append((time.perf_counter() - start, _spent() - spent))
    return found[1:]  # the first one writes byte code


def _spent() -> float:
    """Give the processor time of all processes that were waited for, theirs included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _saves(folder: Path, times: int) -> list[float]:
    (folder / "softmax.py").write_text(RIGHT.format(axis="0", number="none"), "utf-8")
    command = [*_command("watch"), "--dir", str(folder)]
    watch = subprocess.Popen(
        command, env=_environment(), stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert watch.stdout is not None
    found = []
    try:
        _read_until(watch.stdout, SAID[False])
        for number in range(times):
            right = not number % 2
            text = RIGHT.format(axis="axis" if right else "0", number=number)
            time.sleep(0.7)  # so that it is idle again
            start = time.perf_counter()
            _save(folder / "softmax.py", text, by_rename=number % 4 > 1)
            _read_until(watch.stdout, SAID[right])
            found.append(time.perf_counter() - start)
    finally:
        watch.terminate()
        watch.wait()
    return found


def _save(path: Path, text: str, *, by_rename: bool) -> None:
    if by_rename:
        beside = path.with_suffix(".tmp")
        beside.write_text(text, "utf-8")
        beside.replace(path)
    else:
        path.write_text(text, "utf-8")


def _read_until(stream: object, mark: str) -> None:
    for line in stream:  # type: ignore[attr-defined]
        if mark in line:
            return
    raise SystemExit("attn watch ended before its verdict")


def _tell(what: str, seconds: list[float]) -> None:
    inner = sorted(seconds)
    print(
        f"{what}: median {statistics.median(inner) * 1000:.0f} ms, "
        f"95 % {inner[int(0.95 * (len(inner) - 1))] * 1000:.0f} ms, worst {inner[-1] * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()
