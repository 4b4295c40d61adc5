"""Run a notebook's cells as IPython does, inside a worker, for what they show.

Cell by cell: text goes in, the outputs that a notebook would show come back as plain bounded
data. No verdict is made of them: what counts is judged from the same file by other workers. So
whatever a student's cell makes of this process, she changes only what she herself is shown.

This runs inside a worker whose zygote has loaded IPython, and Matplotlib where it is installed.
"""

from __future__ import annotations

import ast
import asyncio
import builtins
import gc
import io
import linecache
import os
import random
import selectors
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from autograder import cellcode, endless, plots, serving, wire

MAX_TEXT = 2**16  # characters kept of one stream, half from its start and half from its end
MAX_DATA = 2**21  # bytes of one display in one format
MAX_CELL = 2**22  # bytes of everything that one cell shows
MAX_OUTPUTS = 100
NO_SHELL = "Shell commands are not run where this notebook is graded.\n"
CUT = "\n[…]\n"
SELDOM = (10_000, 10, 10)  # new objects, before garbage is looked for: plots are many small ones
WARMING = (
    "await __import__('asyncio').sleep(0)",
    "1 + 1",
    "def f():\n    return 1 / 0\nf()",
    "%time 1",
    "a b",
    "f?",
)


class Outputs:
    """What one cell shows, in order, within bounds."""

    def __init__(self) -> None:
        self.listed: list[dict[str, Any]] = []
        self._room = MAX_CELL
        self._clear = False

    def begin(self) -> None:
        self.listed, self._room, self._clear = [], MAX_CELL, False

    def clear(self, wait: bool = False) -> None:
        self._clear = wait
        if not wait:
            self.listed = []

    def stream(self, name: str, text: str) -> None:
        self._now()
        last = self.listed[-1] if self.listed else None
        if last is None or last.get("name") != name:
            last = {"output_type": "stream", "name": name, "text": Text()}
            self._add(last)
        last["text"].add(text)

    def data(
        self, kind: str, data: dict[str, Any], metadata: dict[str, Any], count: int | None = None
    ) -> None:
        self._now()
        bundle = {}
        for mime, value in data.items():
            text = value if isinstance(value, str | bytes) else repr(value)
            size = len(text)
            if size <= min(MAX_DATA, self._room):
                self._room -= size
                bundle[str(mime)] = text
        if bundle:
            self._add(
                {"output_type": kind, "data": bundle, "metadata": _sizes(metadata), "count": count}
            )

    def error(self, name: str, value: str, traceback: list[str]) -> None:
        self._now()
        lines = [_kept(line) for line in traceback[-40:]]
        self._add({"output_type": "error", "ename": name, "evalue": _kept(value), "lines": lines})

    def _now(self) -> None:
        if self._clear:
            self.clear()

    def _add(self, output: dict[str, Any]) -> None:
        if len(self.listed) < MAX_OUTPUTS:
            self.listed.append(output)


class Text:
    """A text's beginning and end, however much is added."""

    def __init__(self) -> None:
        self._head, self._tail, self._cut = "", "", False
        self._parts: list[str] = []
        self._size = 0

    def add(self, text: str) -> None:
        room = MAX_TEXT // 2 - len(self._head)
        if room > 0:
            self._head, text = self._head + text[:room], text[room:]
        if text:
            self._parts.append(text[-MAX_TEXT:])
            self._size += len(text)
        if self._size > 2 * MAX_TEXT:
            self._trim()

    def _trim(self) -> None:
        tail = self._tail + "".join(self._parts)
        self._parts, self._size = [], 0
        if len(tail) > MAX_TEXT // 2:
            self._cut, tail = True, tail[-MAX_TEXT // 2 :]
        self._tail = tail

    def __str__(self) -> str:
        self._cut = self._cut or self._size + len(self._tail) > MAX_TEXT // 2
        self._trim()
        return self._head + (CUT if self._cut else "") + self._tail


def _kept(text: str) -> str:
    made = Text()
    made.add(text)
    return str(made)


def _sizes(metadata: Any) -> dict[str, dict[str, int]]:
    """Keep of a display's metadata what a picture needs: its width and height."""
    kept: dict[str, dict[str, int]] = {}
    for mime, about in metadata.items() if isinstance(metadata, dict) else ():
        if isinstance(about, dict):
            sizes = {k: v for k, v in about.items() if k in ("width", "height")}
            kept[str(mime)] = {k: v for k, v in sizes.items() if type(v) is int}
    return {mime: about for mime, about in kept.items() if about}


class Stream(io.TextIOBase):
    """Standard output or error of a cell."""

    encoding = "utf-8"

    def __init__(self, name: str, outputs: Outputs) -> None:
        self.name, self._outputs = name, outputs

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._outputs.stream(self.name, text)
        return len(text)

    def writable(self) -> bool:
        return True


def make_shell(outputs: Outputs) -> Any:
    """Make IPython's shell, with everything that it shows going to `outputs`."""
    from IPython.core.displayhook import DisplayHook
    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    class Hook(DisplayHook):  # type: ignore[misc,unused-ignore]
        def write_output_prompt(self) -> None:
            pass

        def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
            outputs.data("execute_result", format_dict, md_dict or {}, self.prompt_count)

        def finish_displayhook(self) -> None:
            pass

    class Publisher(DisplayPublisher):  # type: ignore[misc,unused-ignore]
        def publish(self, data: Any, metadata: Any = None, **more: Any) -> None:
            outputs.data("display_data", data, metadata or {})

        def clear_output(self, wait: bool = False) -> None:
            outputs.clear(wait)

    class Shell(InteractiveShell):  # type: ignore[misc,unused-ignore]
        def _showtraceback(self, etype: Any, evalue: Any, stb: list[str]) -> None:
            outputs.error(etype.__name__, str(evalue), stb)

        def system(self, cmd: str) -> None:
            outputs.stream("stdout", NO_SHELL)
            self.user_ns["_exit_code"] = 1

        system_raw = system_piped = system

        def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> Any:
            outputs.stream("stdout", NO_SHELL)
            return []

        def enable_gui(self, gui: Any = None) -> None:
            pass

        def ask_exit(self) -> None:
            pass

        def init_virtualenv(self) -> None:
            pass

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "NoColor"
    config.InteractiveShell.xmode = "Context"
    Shell.displayhook_class, Shell.display_pub_class = Hook, Publisher
    shell = Shell.instance(config=config)
    shell.loop_runner = _run_coroutine
    cellcode.read_once(shell)
    return shell


class _Clock(selectors.BaseSelector):
    """Waits for time only: a worker may open nothing that an event loop could wait for."""

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        raise PermissionError("nothing can be waited for where this notebook is graded")

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        raise KeyError(fileobj)

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None or timeout > 0:
            time.sleep(min(timeout or 3600.0, 3600.0))
        return []

    def get_map(self) -> Any:
        return {}


class _Loop(asyncio.SelectorEventLoop):
    """An event loop for `await` in a cell, without the sockets that others are made with."""

    def __init__(self) -> None:
        super().__init__(_Clock())

    def _make_self_pipe(self) -> None:
        self._ssock = self._csock = None

    def _close_self_pipe(self) -> None:
        pass

    def _write_to_self(self) -> None:
        pass


def _run_coroutine(coroutine: Any) -> Any:
    loop = _Loop()
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.close()


class _Trees(Mapping[str, ast.Module]):
    """The syntax of the cells that ran so far, by the names under which they ran.

    A cell is parsed when it is asked for: the clock ticks often, and also while IPython parses a
    file for a traceback; Python cannot parse within that.
    """

    def __init__(self, compiler: Any) -> None:
        self._compiler = compiler
        self._parsed: dict[str, ast.Module] = {}

    def __getitem__(self, name: str) -> ast.Module:
        if name not in self:
            raise KeyError(name)
        if name not in self._parsed:
            self._parsed[name] = ast.parse("".join(linecache.getlines(name)))
        return self._parsed[name]

    def __contains__(self, name: object) -> bool:
        return name in self._compiler._filename_map and name in linecache.cache

    def __iter__(self) -> Iterator[str]:
        return iter(linecache.cache.keys() & self._compiler._filename_map)

    def __len__(self) -> int:
        return len(linecache.cache.keys() & self._compiler._filename_map)


class Notebook:
    """The cells of one notebook, run one after the other."""

    def __init__(self, read: Callable[[int], bytes], write: Callable[[bytes], None]) -> None:
        self._read, self._write = read, write
        self._outputs = _made.outputs
        self._shell = _made.shell
        self._seq = 0
        self._watch = endless.Watch(_Trees(self._shell.compile), self._never_ends)

    def serve(self) -> None:
        """Answer until the channel ends."""
        self._watch.start()
        while True:
            _, self._seq, code = wire.ordered(self._read)
            self._watch.turn()
            told = self._cell(code)
            self._write(wire.encode(wire.VALUE, self._seq, told, max_raw=2 * MAX_CELL))

    def _never_ends(self, place: str, line: int) -> None:
        """Say which line's loop never ends, and end: the cell would keep its process for long."""
        self._write(wire.encode(wire.ENDLESS, self._seq, [None, line]))
        os._exit(0)

    def _cell(self, code: str) -> dict[str, Any]:
        outputs, shell = self._outputs, self._shell
        outputs.begin()
        sys.stdout, sys.stderr = Stream("stdout", outputs), Stream("stderr", outputs)
        try:
            shell.run_cell(code, store_history=True)
            shell.events.trigger("post_execute")
        except BaseException as error:  # the student's code may raise anything, SystemExit too
            outputs.error(type(error).__name__, "", [type(error).__name__])
        count = shell.execution_count - 1
        return {"count": count, "outputs": [_plain(each) for each in outputs.listed]}


def _plain(output: dict[str, Any]) -> dict[str, Any]:
    """Give an output with its texts as bytes, which a frame carries in any length."""
    made = dict(output)
    if "data" in made:
        made["data"] = {mime: _bytes(value) for mime, value in made["data"].items()}
    for name in ("text", "evalue"):
        if name in made:
            made[name] = _bytes(str(made[name]))
    if "lines" in made:
        made["lines"] = _bytes("\n".join(made["lines"]))
    return made


def _bytes(value: str | bytes) -> Any:
    data = value if isinstance(value, bytes) else value.encode("utf-8", "replace")
    return np.frombuffer(data, np.uint8)


# -- the zygote's part -----------------------------------------------------------------------


class _Made:
    """The shell, made once in the zygote."""

    outputs: Outputs
    shell: Any


_made = _Made()


def warm_up() -> None:
    """Load all that a first plot, a first traceback and a first magic would load."""
    packages = str(Path(np.__file__).parents[1])
    sys.path.append(packages)
    _made.outputs = outputs = Outputs()
    _made.shell = shell = make_shell(outputs)
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = Stream("stdout", outputs), Stream("stderr", outputs)
    try:
        for code in WARMING:
            shell.run_cell(code, store_history=False)
        plotting = plots.make_ready(shell)
    finally:
        sys.stdout, sys.stderr = streams
        sys.path.remove(packages)
    shell.reset(new_session=True)
    if plotting:
        shell.run_line_magic("matplotlib", "inline")
        plots.measure_undrawn(shell)
    serving.warm_up()
    serving.fill_gaps()


def serve(incoming: int, outgoing: int, layers: list[str]) -> None:
    """Be a worker on these two descriptors, until they end."""
    gc.set_threshold(*SELDOM)
    builtins.input = _no_input
    warnings.simplefilter("default")
    random.seed(0)  # Python seeds it anew in each fork
    _made.shell.user_module.__dict__.setdefault("__builtins__", builtins)
    try:
        Notebook(*serving.ends(incoming, outgoing)).serve()
    except EOFError:
        return


def _no_input(prompt: object = "") -> str:
    from IPython.core.error import StdinNotImplementedError

    __tracebackhide__ = True  # IPython leaves this frame out

    raise StdinNotImplementedError("there is no one to ask where this notebook is graded")
