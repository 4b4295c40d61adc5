"""How far a run is: a bar where somebody looks, else a line now and then.

Everything goes to standard error; what was found goes elsewhere.
"""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

from autograder.results import SubmissionResult

EVERY = 10.0  # seconds between two lines, where there is no terminal
NAMED = 3  # hand-ins in trouble that are named


class Pace:
    """Told of each finished submission; shows rate, remaining time and who is in trouble.

    Parameters
    ----------
    stream : file, optional
        Standard error by default.
    every : float
        Seconds between two lines where `stream` is no terminal.
    """

    def __init__(self, stream: TextIO | None = None, every: float = EVERY) -> None:
        self._stream = stream or sys.stderr
        self._every = every
        self._start = self._told = time.monotonic()
        self._known = 0
        self._troubles: list[str] = []
        self._bar: Any = None
        self._task: Any = None

    def __call__(self, result: SubmissionResult, done: int, total: int) -> None:
        """Take note of one more."""
        if result.status != "graded":
            self._troubles.append(f"{result.id} ({result.status})")
        elif any(each.status == "timeout" for each in result.exercises):
            self._troubles.append(f"{result.id} (timeout)")
        if self._stream.isatty():
            self._show(done, total)
        elif time.monotonic() - self._told >= self._every:
            self._told = time.monotonic()
            print(f"attn: {self.line(done, total)}", file=self._stream, flush=True)

    def known(self, result: SubmissionResult, done: int, total: int) -> None:
        """Take note of one that is taken over: it tells nothing of the rate."""
        self._known += 1
        self(result, done, total)

    def line(self, done: int, total: int) -> str:
        """Say it in words."""
        spent = max(time.monotonic() - self._start, 1e-3)
        rate = (done - self._known) / spent
        said = f"{done} of {total}" + (f" ({self._known} from before)" if self._known else "")
        if rate:
            said += f", {rate:.1f} a second, {_clock((total - done) / rate)} left"
        return f"{said}; {self.troubles}" if self._troubles else said

    @property
    def troubles(self) -> str:
        """Who is in trouble, the latest by name."""
        last = ", ".join(self._troubles[-NAMED:])
        more = len(self._troubles) - NAMED
        return f"trouble: {last}" + (f" and {more} more" if more > 0 else "")

    def _show(self, done: int, total: int) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            self._bar = Progress(
                BarColumn(),
                TextColumn("{task.description}", markup=False),
                console=Console(file=self._stream),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("", total=total)
        self._bar.update(self._task, completed=done, description=self.line(done, total))

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


class Steps:
    """Told of each finished part of a long run: a bar on a terminal, else lines.

    Parameters
    ----------
    doing : str
        What is done, such as ``proving``.
    stream : file, optional
        Standard error by default.
    every : float
        Seconds between two lines where `stream` is no terminal; 0 gives one for each part.
    """

    def __init__(self, doing: str, stream: TextIO | None = None, every: float = 0.0) -> None:
        self._doing = doing
        self._stream = stream or sys.stderr
        self._every = every
        self._told = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __call__(self, name: str, done: int, total: int) -> None:
        """Take note that `name` is finished; none of the parts is where `done` is 0."""
        said = f"{self._doing}: {done} of {total}" + (f", {name}" if name else "")
        if self._stream.isatty():
            self._show(said, done, total)
        elif done == 0 or time.monotonic() - self._told >= self._every:
            self._told = time.monotonic()
            print(f"attn: {said}", file=self._stream, flush=True)

    def _show(self, said: str, done: int, total: int) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            self._bar = Progress(
                BarColumn(),
                TextColumn("{task.description}", markup=False),
                TimeElapsedColumn(),
                console=Console(file=self._stream),
                transient=True,
            )
            self._task = self._bar.add_task(said, total=total)
            self._bar.start()
        self._bar.update(self._task, completed=done, total=total, description=said)
        if done == total:
            self.close()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"
