"""Whether a `while` loop that takes long can be shown never to end.

A computation that comes back to a state in which it was before, by steps that depend on nothing
but that state, comes back to it for ever. So a loop that has used much processor time is watched
for a moment: where all that it works with is the same again, round after round, it need not be
waited for, and its line can be named. Nothing is said of a loop that cannot be seen through:
one with a `for` iterator half way, a call of unknown code, a clock, chance, a file, a thread.

Theory of operation
-------------------
A timer of processor time ticks. Where two ticks in a row fall into the same question (or file), the
innermost frame of the student's own that stands in a `while` loop is traced line by line for a
moment. At one line of that loop, the *anchor*, which is in no loop within it, the *state* is taken:
the values of every name in the loop, down to the bytes of arrays, and which of them are one object.
It is compared with a saved one, which is replaced after 1, 2, 4, ... rounds (Brent's way of finding
a cycle, however long it is), and it has to come back `ENOUGH` times, every so many rounds.

Names that only add up, as in ``while i < n: total += x[i]``, and what has gone past all that it is
compared with, as in ``while i != 5: i += 2``, are told by their form: see `tallies`, `overshot`.

The steps are seen through where the loop's syntax is of a closed list; where each name in it is
bound to a number, a text, an array, a list, tuple or dict of such, to NumPy or `math`, or to a
function of the closed lists in `loops`; and where no other function of the student's runs.
Matrix products are not in the lists: how they round can depend on where memory lies.

This runs inside the worker: standard library and NumPy only. What it finds ends a process early,
and never makes a verdict better.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import signal
import sys
import time
import types
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from autograder import overshot, tallies
from autograder.loops import COMPREHENSIONS, MODULES, Loop, State, check_module, loops_at

TICK = 0.025  # seconds of processor time
TRIES = 3  # loops watched for one question
MOMENT = 0.01  # seconds of processor time that a loop is watched, at most
MAX_LINES = 5_000
ENOUGH = 12
MONITORS = 6  # tools that `sys.monitoring` has room for
# Where NumPy's own functions are.
KNOWN = (np.__file__.removesuffix("__init__.py"), "<__array_function__")
SEEING = frozenset({"resize", "getrefcount", "locals", "vars"})

Trees = Mapping[str, ast.Module]
Found = Callable[[str, int, bool], None]


def alone() -> bool:
    """Whether nothing but the main thread's code can change what a loop works with."""
    own = (signal.SIG_DFL, signal.SIG_IGN, None)
    heard = {n: signal.getsignal(n) for n in signal.valid_signals() - {signal.SIGVTALRM}}
    if heard[signal.SIGINT] is signal.default_int_handler:  # of an alarm, it would end a loop
        del heard[signal.SIGINT]
    return (
        len(sys._current_frames()) == 1
        and sys.gettrace() is None
        and sys.getprofile() is None
        and not _is_monitored()
        and all(each in own for each in heard.values())
        and not gc.callbacks
        and not tallies.is_told()
        and not any(map(_raises, warnings.filters))
    )


def _is_monitored() -> bool:
    """Whether some tool may be told of each line (since Python 3.12), and act on it."""
    monitoring: Any = getattr(sys, "monitoring", None)
    return monitoring is not None and any(
        monitoring.get_tool(number) is not None for number in range(MONITORS)
    )


def _raises(rule: Any) -> bool:
    """Whether a rule on warnings makes an exception of one that a known function may give."""
    return rule[0] == "error" and rule[2].__module__.partition(".")[0] in ("builtins", "numpy")


def can_see_watch(code: types.CodeType) -> bool:
    """Whether a function may ask for what watching changes: who holds its values, and `locals`."""
    within = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return not SEEING.isdisjoint(code.co_names) or any(map(can_see_watch, within))


class Watch:
    """Ticks while code of the student's runs, and looks at a loop that takes long.

    Parameters
    ----------
    trees : mapping
        The syntax of each file or cell, by the place that its code is named after.
    found : callable
        Told the place and the line of a loop that never ends, and whether that is because something
        has gone past what it is compared with. It does not return.
    """

    def __init__(self, trees: Trees, found: Found) -> None:
        self._trees, self._found = trees, found
        self._turn = 0
        self._seen = -1  # the turn of the tick before
        self._tried = 0
        self._raises = False

    def start(self) -> None:
        """Begin to tick, where the system can."""
        _watching[:] = [self]
        with contextlib.suppress(AttributeError, OSError, ValueError):
            if not _heard:
                listen()
            signal.setitimer(signal.ITIMER_VIRTUAL, TICK, TICK)

    def turn(self) -> None:
        """Take note that another question, or file, begins."""
        self._turn += 1
        self._raises = tallies.raises()  # a call is run with NumPy's silence, as it is not at home

    def tick(self, frame: types.FrameType | None) -> None:
        """Look at what runs, where it has run since the tick before."""
        if self._seen != self._turn:
            self._seen, self._tried = self._turn, 0
            return
        if self._tried >= TRIES or self._raises or frame is None:
            return
        try:
            self._look(frame)
        except Exception:  # the student's own values may do anything: nothing is said then
            self._tried = TRIES

    def _look(self, frame: types.FrameType | None) -> None:
        while frame is not None and (
            frame.f_code.co_filename not in self._trees or frame.f_code.co_name in COMPREHENSIONS
        ):
            frame = frame.f_back
        if frame is None:
            return
        if can_see_watch(frame.f_code):
            return
        place = frame.f_code.co_filename
        loops = loops_at(self._trees[place], frame.f_lineno)
        if not loops:
            return
        loop = loops[self._tried % len(loops)]
        self._tried += 1
        if not (loop.clear and loop.anchors):
            return
        if gc.isenabled():  # what is garbage already may have an end of the student's own
            gc.collect()
        if alone():
            _Run(loop, frame, self._trees, partial(self._found, place, loop.line)).begin()


_watching: list[Watch] = []  # the one that ticks in this process
_heard: list[bool] = []  # whether a tick is heard


def _tick(number: int, frame: types.FrameType | None) -> None:
    for watch in _watching:
        watch.tick(frame)


def listen() -> None:
    """Be ready to tick, before a fork even: what a fork has not is the timer alone."""
    with contextlib.suppress(AttributeError, ValueError):
        signal.signal(signal.SIGVTALRM, _tick)
        _heard[:] = [True]


class _Run:
    """Watches one loop for a moment."""

    def __init__(
        self,
        loop: Loop,
        frame: types.FrameType,
        trees: Trees,
        found: Callable[[bool], None],
    ) -> None:
        self._loop, self._frame, self._trees, self._found = loop, frame, trees, found
        self._anchor: tuple[int, int] | None = None
        self._saved: Any = None
        self._rounds, self._next, self._lines = 0, 1, 0
        self._same, self._cycle, self._since = 0, 0, 0
        self._past = False
        self._until = time.thread_time() + MOMENT

    def begin(self) -> None:
        """Trace the frame from its next line on."""
        self._frame.f_trace = self._line
        self._frame.f_trace_opcodes = self._loop.idle
        sys.settrace(self._call)

    def _end(self) -> None:
        sys.settrace(None)
        self._frame.f_trace = None
        self._frame.f_trace_opcodes = False

    def _call(self, frame: types.FrameType, event: str, arg: Any) -> None:
        """See a function begin: NumPy's own do nothing unknown, any other may."""
        code = frame.f_code
        ours = code.co_name in COMPREHENSIONS and frame.f_back is self._frame
        known = code.co_filename.startswith(KNOWN) and code.co_filename not in self._trees
        if not (ours or known):
            self._end()

    def _line(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        try:
            going = self._step(frame, event)
        except Exception:
            going = False
        if not going:
            self._end()
            return None
        return self._line

    def _step(self, frame: types.FrameType, event: str) -> bool:
        if event not in ("line", "opcode"):
            return event == "exception"
        self._lines += 1
        line = frame.f_lineno
        if not self._loop.line <= line <= self._loop.last or self._lines > MAX_LINES:
            return False
        here = (line, frame.f_lasti)
        if self._anchor is None and line in self._loop.anchors:
            self._anchor = here
        if here != self._anchor:
            return True
        if time.thread_time() > self._until:
            return False
        return self._round(frame)

    def _round(self, frame: types.FrameType) -> bool:
        state = self._state(frame)
        self._since += 1
        if state == self._saved:
            if self._same and self._since != self._cycle:
                return False
            self._same, self._cycle, self._since = self._same + 1, self._since, 0
            if self._same >= ENOUGH:
                self._found(self._past)
            return True
        if self._same:  # it comes back at its time, or something else is at work
            return self._since < self._cycle
        self._rounds += 1
        if self._rounds >= self._next:
            self._saved, self._next, self._since = state, 2 * self._next, 0
        return True

    def _state(self, frame: types.FrameType) -> Any:
        spaces = (frame.f_locals, frame.f_globals, frame.f_builtins)
        values = {
            name: next(space[name] for space in spaces if name in space)
            for name in self._loop.names
            if any(name in space for space in spaces)
        }
        state = State()
        found: list[Any] = []
        self._past = False
        for name in self._loop.names:  # in one order, and with every name that is not bound yet
            value: Any = values.get(name)
            if (form := self._form(name, value)) is not None:
                found.append((name, "adds up", form))
            elif (form := self._gone(name, value, values)) is not None:
                self._past = True
                found.append((name, "has gone past", form))
            elif any(value is each for each in MODULES) and name not in self._loop.bare:
                check_module(value, self._loop.attributes[name])
                found.append((name, id(value)))
            else:
                found.append((name, state.of(value) if name in values else "not bound"))
        return found

    def _form(self, name: str, value: Any) -> Any:
        """Give the form of a name that only adds up; None for any other."""
        ways = self._loop.tallies.get(name)
        if ways is None or not tallies.is_local(self._frame, name):
            return None
        return tallies.form(value, ways)

    def _gone(self, name: str, value: Any, values: Mapping[str, Any]) -> Any:
        """Give the form of a name that has gone past all it is compared with; None for others."""
        course = self._loop.courses.get(name)
        if course is None or not tallies.is_local(self._frame, name):
            return None
        return overshot.form(value, course, values.get)
