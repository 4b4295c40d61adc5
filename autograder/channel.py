"""The grading process' end of a worker's channel: exact reads and writes, each with a deadline.

Two kinds with one face: a socket to a forked worker, and pipes to a fresh process. Beside the
frames, each takes in what the worker prints, and keeps the beginning and the end of it. Nothing
here blocks past its deadline, and memory grows only as bytes arrive. What the bytes mean is not
known here.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import socket
import sys
import threading
import time
from typing import IO, Protocol

CHUNK = 2**18
PRINTED = 2**16  # bytes kept of what was printed: half from the start, half from the end


class Late(Exception):
    """The deadline passed."""


class Ended(Exception):
    """The other end is gone."""


class Printed:
    """The beginning and the end of what was printed.

    Attributes
    ----------
    cut : bool
        Whether something between them was dropped.
    """

    def __init__(self) -> None:
        self._head, self._tail, self.cut = bytearray(), bytearray(), False

    def add(self, data: bytes) -> None:
        """Take in more output."""
        room = PRINTED // 2 - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > PRINTED // 2:
            self.cut = True
            del self._tail[: -PRINTED // 2]

    def text(self) -> str:
        """Give what was kept, without control signs."""
        parts = [self._head.decode("utf-8", "replace"), self._tail.decode("utf-8", "replace")]
        text = ("\n[…]\n" if self.cut else "").join(parts)
        return "".join(c for c in text if c.isprintable() or c in "\n\t")

    def take(self) -> str:
        """Give what was kept, and begin anew."""
        text = self.text() if self._head else ""
        self._head, self._tail, self.cut = bytearray(), bytearray(), False
        return text


class Channel(Protocol):
    """What a worker handle needs of either kind."""

    printed: Printed

    def send(self, data: bytes, deadline: float) -> None: ...
    def receive(self, size: int, deadline: float) -> bytes: ...
    def drain(self) -> None: ...
    def close(self) -> None: ...


class SocketChannel:
    """A stream socket for frames and a pipe for output, both non-blocking."""

    def __init__(self, sock: socket.socket, output: int) -> None:
        self.printed = Printed()
        self._sock, self._output = sock, output
        sock.setblocking(False)
        os.set_blocking(output, False)
        # The socket is looked at before the output: what was printed before a frame is then seen
        # with it.
        self._poll = select.poll()
        self._number, self._event = sock.fileno(), select.POLLIN
        self._poll.register(self._number, select.POLLIN)
        self._poll.register(output, select.POLLIN)
        self._open_output = True
        self._waiting = bytearray()  # what came beyond what was asked for: less than a chunk

    def _wait(self, event: int, deadline: float) -> None:
        """Wait until the socket is ready, taking in output meanwhile."""
        if event != self._event:
            self._event = event
            self._poll.modify(self._number, event)
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Late
            ready = [number for number, _ in self._poll.poll(left * 1000 + 1)]
            if self._output in ready:
                self.drain()
            if self._number in ready:
                return

    def send(self, data: bytes, deadline: float) -> None:
        """Write all of it."""
        view = memoryview(data)
        while view:
            try:
                view = view[self._sock.send(view) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, deadline)
            except OSError:
                raise Ended from None

    def receive(self, size: int, deadline: float) -> bytes:
        """Read exactly so many bytes."""
        data = self._waiting
        while len(data) < size:
            self._wait(select.POLLIN, deadline)
            try:
                part = self._sock.recv(CHUNK)
            except BlockingIOError:  # what woke us has been taken back
                continue
            except OSError:
                raise Ended from None
            if not part:
                raise Ended
            data += part
            if time.monotonic() >= deadline and len(data) < size:
                raise Late
        found = bytes(data[:size])
        del data[:size]
        return found

    def drain(self) -> None:
        """Take in the output that is there now; a flood does not hold us."""
        for _ in range(4):
            try:
                data = os.read(self._output, CHUNK) if self._open_output else b""
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                if self._open_output:
                    self._poll.unregister(self._output)
                self._open_output = False
                return
            self.printed.add(data)

    def close(self) -> None:
        """Hang up."""
        self._sock.close()
        os.close(self._output)


class PipeChannel:
    """Pipes to a process of its own, with a thread for each, for where sockets cannot be passed."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self.printed = Printed()
        self._lock = threading.Lock()
        self._streams = (stdin, stdout, stderr)
        self._incoming: queue.Queue[bytes] = queue.Queue(maxsize=64)
        self._outgoing: queue.Queue[bytes | None] = queue.Queue()
        self._rest = b""
        self._closed = False
        for work in (self._write, self._read, self._listen):
            threading.Thread(target=work, daemon=True).start()

    def _write(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (data := self._outgoing.get()) is not None:
                self._streams[0].write(data)
                self._streams[0].flush()
        with contextlib.suppress(OSError, ValueError):
            self._streams[0].close()

    def _read(self) -> None:
        data = b"x"
        while data and not self._closed:
            try:
                data = os.read(self._streams[1].fileno(), CHUNK)
            except (OSError, ValueError):
                data = b""
            self._incoming.put(data)

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(self._streams[2].fileno(), CHUNK):
                with self._lock:
                    self.printed.add(data)

    def send(self, data: bytes, deadline: float) -> None:
        """Hand it to the writing thread: the answer's deadline covers it."""
        self._outgoing.put(data)

    def receive(self, size: int, deadline: float) -> bytes:
        """Read exactly so many bytes."""
        data = bytearray()
        while len(data) < size:
            if not self._rest:
                try:
                    self._rest = self._incoming.get(timeout=max(0.0, deadline - time.monotonic()))
                except queue.Empty:
                    raise Late from None
                if not self._rest:
                    self._incoming.put(b"")
                    raise Ended
            part, self._rest = self._rest[: size - len(data)], self._rest[size - len(data) :]
            data += part
        if data and not self._rest:
            self.drain()
        return bytes(data)

    def drain(self) -> None:
        """Give the listening thread time to take in what is there."""
        for _ in range(40):
            time.sleep(0.0005)
            if sys.platform == "win32" or self._closed:
                return
            if not select.select([self._streams[2]], [], [], 0)[0]:
                return

    def close(self) -> None:
        """Hang up; the process must have been ended before."""
        self._closed = True
        self._outgoing.put(None)
        with contextlib.suppress(queue.Empty):
            while True:
                self._incoming.get_nowait()
        for stream in self._streams[1:]:
            with contextlib.suppress(OSError):
                stream.close()
