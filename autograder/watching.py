"""Notices that files were saved and keys were pressed: threads that put events into one queue.

Saved files are noticed by `watchfiles` where it is installed, else by looking at them; either way
the reader of the queue compares contents, so that an event more does no harm. A look once in a
while finds what a network folder never reports.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

POLL = 0.01  # seconds between two looks, where nothing reports changes
QUIET = 5  # milliseconds without a change before watchfiles reports
LOOK_AGAIN = 1.0  # seconds after which the folder is looked at whatever was reported
SAVED, STOP = "saved", "stop"
_SUFFIXES = (".py", ".ipynb")

Stamp = tuple[tuple[str, int, int, int], ...]


class Events:
    """What happens in a folder and on the keyboard, one event after another.

    Parameters
    ----------
    folder : Path
    keyboard : bool
        Whether keys are read from the terminal.
    """

    def __init__(self, folder: Path, keyboard: bool) -> None:
        self._folder = folder
        self._queue: SimpleQueue[str] = SimpleQueue()
        self._ended = threading.Event()
        self._seen = stamp(folder)
        started = [self._look if _watchfiles() is None else self._report]
        for run in (*started, *([self._keys] if keyboard else [])):
            threading.Thread(target=run, daemon=True).start()

    def next(self, wait: float = LOOK_AGAIN) -> str | None:
        """Give the next event: `SAVED`, `STOP`, a key, or None after `wait` seconds."""
        try:
            return self._queue.get(timeout=wait)
        except Empty:
            return SAVED if self._moved() else None

    @property
    def waiting(self) -> bool:
        """Whether something has happened already."""
        return not self._queue.empty()

    def end(self) -> None:
        """Let the threads end."""
        self._ended.set()

    def _moved(self) -> bool:
        now = stamp(self._folder)
        before, self._seen = self._seen, now
        return now != before

    def _look(self) -> None:
        seen = stamp(self._folder)
        while not self._ended.wait(POLL):
            now = stamp(self._folder)
            if now != seen:
                seen = now
                self._queue.put(SAVED)

    def _report(self) -> None:
        watch = _watchfiles()
        assert watch is not None
        try:
            for _ in watch(
                self._folder,
                watch_filter=lambda _, path: path.endswith(_SUFFIXES),
                debounce=10 * QUIET,
                step=QUIET,
                recursive=False,
                stop_event=self._ended,
                raise_interrupt=False,
            ):
                self._queue.put(SAVED)
        except (OSError, RuntimeError):  # too many watches, a folder that cannot be watched
            self._look()

    def _keys(self) -> None:
        for key in keys(self._ended):
            self._queue.put(key)
        if not self._ended.is_set():
            self._queue.put(STOP)


def stamp(folder: Path) -> Stamp:
    """Give what changes when a file in the folder is saved: inode, time and size of each."""
    found = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(_SUFFIXES):
                with contextlib.suppress(OSError):  # gone meanwhile: editors save by rename
                    stat = entry.stat()
                    found.append((entry.name, entry.inode(), stat.st_mtime_ns, stat.st_size))
    return tuple(sorted(found))


def _watchfiles() -> Any:
    try:
        from watchfiles import watch
    except ImportError:
        return None
    return watch


# The keyboard


@contextlib.contextmanager
def unbuffered() -> Iterator[bool]:
    """Let single keys be read from the terminal for a while; say whether that is possible."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield False
    elif sys.platform == "win32":
        yield True
    else:
        import termios
        import tty

        try:
            before = termios.tcgetattr(sys.stdin)
        except termios.error:
            yield False
            return
        tty.setcbreak(sys.stdin)
        try:
            yield True
        finally:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def keys(ended: threading.Event) -> Iterator[str]:
    """Give each key that is pressed, in lower case, until the terminal is closed."""
    while not ended.is_set():
        if sys.platform == "win32":
            import msvcrt

            key = msvcrt.getwch()
        else:
            key = os.read(sys.stdin.fileno(), 1).decode("utf-8", "ignore")
            if key == "":
                return
        yield "q" if key in ("\x03", "\x04") else key.lower()
