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
import linecache
import os
import random
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from autograder import awaiting, cellcode, endless, plots, serving, wire
from autograder.shown import MAX_CELL, Outputs, Stream, plain

NO_SHELL = "Shell commands are not run where this notebook is graded.\n"
SELDOM = (10_000, 10, 10)  # new objects, before garbage is looked for: plots are many small ones
WARMING = (
    "await __import__('asyncio').sleep(0)",
    "1 + 1",
    "def f():\n    return 1 / 0\nf()",
    "%time 1",
    "a b",
    "f?",
)


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


def _run_coroutine(coroutine: Any) -> Any:
    loop = asyncio.new_event_loop()
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
        awaiting.ready()
        self._watch.start()
        while True:
            _, self._seq, code = wire.ordered(self._read)
            self._watch.turn()
            told = self._cell(code)
            self._write(wire.encode(wire.VALUE, self._seq, told, max_raw=2 * MAX_CELL))

    def _never_ends(self, place: str, line: int, past: bool) -> None:
        """Say which line's loop never ends, and end: the cell would keep its process for long."""
        self._write(wire.encode(wire.ENDLESS, self._seq, [None, line, past]))
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
        return {"count": count, "outputs": [plain(each) for each in outputs.listed]}


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
