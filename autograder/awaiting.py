"""Lets asyncio's event loop run where no socket may be made: it waits for time and threads alone.

A loop is made with a pair of sockets, by which another thread wakes it, and with the system's way
to wait for files. A worker has neither, and its code has no file to wait for: `asyncio.run`,
`sleep`, `gather` and `to_thread` need no more than a clock that can be woken. Nothing is allowed
for it that is not allowed without it. This runs inside the worker: standard library only.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from typing import Any


class Clock(selectors.BaseSelector):
    """Waits for a time, or until it is woken."""

    def __init__(self) -> None:
        self._woken = threading.Event()

    def wake(self) -> None:
        """Let who waits go on: a thread has something for it."""
        self._woken.set()

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        raise PermissionError("no file and no connection can be waited for where this is graded")

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        raise KeyError(fileobj)

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None or timeout > 0:
            self._woken.wait(timeout)
        self._woken.clear()
        return []

    def get_map(self) -> Any:
        return {}


def ready() -> None:
    """Make every new event loop one that does without sockets, where none can be made."""
    with contextlib.suppress(OSError):
        for end in socket.socketpair():
            end.close()
        return
    try:
        from asyncio.selector_events import BaseSelectorEventLoop as Loop
    except (ImportError, OSError):  # it cannot be read: who asks for it is told so
        return
    made = Loop.__init__

    def init(loop: Any, selector: Any = None) -> None:
        made(loop, selector or Clock())

    def make_no_pipe(loop: Any) -> None:
        loop._ssock = loop._csock = None

    def wake(loop: Any) -> None:
        if isinstance(loop._selector, Clock):
            loop._selector.wake()

    ways = {
        "__init__": init,
        "_make_self_pipe": make_no_pipe,
        "_close_self_pipe": make_no_pipe,
        "_write_to_self": wake,
    }
    for name, way in ways.items():
        setattr(Loop, name, way)
