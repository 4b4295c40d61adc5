"""The process that runs a student's code: it answers questions with plain values, nothing else.

It reads one frame, does what it says, writes one frame, in lock step, and ends when its channel
ends. Nothing here knows a grader, a solution, an expected value or a score, so there is nothing
to steal or to forge: whatever the student's code makes of this process, all that leaves it is a
value that the grading process then judges, exactly as if the function had returned it.

This runs inside the worker: standard library and NumPy only, loaded as text by the sandbox.
"""

from __future__ import annotations

import builtins
import gc
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder import (
    awaiting,
    canary,
    drawer,
    endless,
    generator,
    imports,
    program,
    shortcuts,
    syntax,
    volley,
    wire,
)

BUILTIN = {
    name: value
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
}
REFUSED = {"c": "complex", "O": "object", "U": "string", "S": "string"}
MAX_OBJECTS = 10_000
NO_FILES = frozenset({"landlock", "seccomp without files"})  # layers that shut the disk
SOON = 0.1  # seconds after which answers that are ready are sent on
MAX_TOLD = 20  # notices of one kind, and files with notices: what is said must fit into a frame
MAX_LINES = 20  # of which is told that they were left out


class Refused(Exception):
    """An answer of a kind that cannot be judged."""


class Gone(Exception):
    """An object that an earlier process held."""


class Absent(Exception):
    """An object has no such attribute or method."""


class Worker:
    """One submission's program and the objects that its answers left here."""

    def __init__(
        self, read: Callable[[int], bytes], write: Callable[[bytes], None], layers: list[str]
    ) -> None:
        self._read, self._write, self._layers = read, write, layers
        self._seq = 0
        self._objects: list[Any] = []
        self._program: program.Program | None = None
        self._files: list[syntax.File] = []
        self._units: dict[str, syntax.Unit] = {}  # of all files, by their places
        self._trees: dict[str, Any] = {}  # the syntax of those that have one
        self._watch = endless.Watch(self._trees, self._never_ends)

    def serve(self) -> None:
        """Answer, and watch for loops that never end, until the channel ends."""
        self._watch.start()
        self.answer()

    def answer(self) -> None:
        """Answer; EOFError comes out of it once the channel ends."""
        while True:
            kind, self._seq, body = wire.ordered(self._read)
            if kind == wire.OPEN:
                self._say(wire.VALUE, self._open(body))
            elif kind == wire.PREPARE:
                self._prepare(body)
            elif kind == wire.ASK:
                self._answer(volley.read(body)[0])
            elif kind == volley.ALL:
                self._answer_all(volley.read(body))
            elif kind == wire.CANARY:
                self._say(wire.VALUE, {"layers": self._layers, "doors": canary.doors(body)})
            else:
                return

    def _say(self, kind: int, value: Any, max_raw: int = 2**26) -> None:
        self._send(wire.encode(kind, self._seq, value, max_raw=max_raw))

    def _send(self, frame: bytes) -> None:
        for stream in (sys.__stdout__, sys.__stderr__, sys.stdout, sys.stderr):
            try:
                stream.flush()  # type: ignore[union-attr]
            except Exception:  # the student's own stream, or none: nothing of ours is in it
                continue
        self._write(frame)

    def _running(self, place: str) -> None:
        self._watch.turn()
        self._say(wire.RUNNING, place)

    def _never_ends(self, place: str, line: int, past: bool) -> None:
        """Say which loop never ends, and end: nothing else can be answered any more."""
        self._say(wire.ENDLESS, [place, line + self._units[place].first_line - 1, past])
        os._exit(0)

    # -- what is asked ---------------------------------------------------------------------

    def _open(self, body: Any) -> Any:
        gc.disable()  # nothing to collect is made here, and looking takes as long as parsing
        for name, data in body["files"]:
            self._running(name)
            self._files.append(syntax.read(name, data))
        gc.freeze()
        gc.enable()
        if any(b"asyncio" in data for _, data in body["files"]):
            awaiting.ready()
        self._program = made = program.Program(
            self._files,
            dict(body["exercises"]),
            body["given"],
            frozenset(body["skip"]),
            self._running,
        )
        self._importer = imports.Importer(made)
        sys.meta_path.append(self._importer)
        self._units |= {unit.place: unit for file in self._files for unit in file.units}
        self._trees |= {place: u.tree for place, u in self._units.items() if u.tree is not None}
        places = {place: unit.first_line for place, unit in self._units.items()}
        self._drawer = drawer.Drawer(places, dict(body["files"]))
        self._drawer.stand_in()
        texts = (data for _, data in body["files"])
        self._shortcuts = shortcuts.Shortcuts(
            body["forbidden"], made, texts, closed=bool(NO_FILES.intersection(self._layers))
        )
        return {
            "files": [
                [file.error, [[c, dict(s)] for c, s in file.notices[:4]] if n < MAX_TOLD else []]
                for n, file in enumerate(made.files)
            ],
            "status": made.status,
            "chosen": {name: made.files.index(file) for name, file in made.chosen.items()},
            "notices": [[code, dict(slots)] for code, slots in made.notices[:MAX_TOLD]],
        }

    def _prepare(self, exercises: list[str]) -> None:
        """Run what each needs, and tell of each in turn."""
        assert self._program is not None
        told = [self._prepared(exercise) for exercise in exercises]
        left = self._program.left_out[:MAX_LINES]
        kept = [each for each in self._drawer.told if each not in left]
        lines = [["line-left-out", *each] for each in left] + [
            ["line-kept", *each] for each in kept
        ]
        self._say(wire.VALUE, {"prepared": told, "lines": lines, **self._noticed()})

    def _prepared(self, exercise: str) -> dict[str, Any]:
        assert self._program is not None
        trouble = None
        names = self._program.exercises[exercise]
        try:
            self._program.prepare(exercise)
            for name in names:
                try:
                    self._program.lookup(name)
                except KeyError:
                    continue  # missing: said when it is asked for
        except BaseException as error:  # whatever stopped the student's file, SystemExit too
            trouble = self._trouble(error)
        unseen = [name for name in names if self._program.status.get(name) != "attempted"]
        noted = [
            self._trouble(unit.failure)
            for file in self._program.files
            for unit in file.units
            if unit.failure is not None
        ]
        there = [name for name in unseen if self._program.is_there(name)]
        return {"trouble": trouble, "noted": noted[:20], "there": there}

    def _noticed(self) -> dict[str, Any]:
        """Give what the code asked for and did not get, and which shortcuts it took."""
        return {"absent": self._importer.absent, "shortcuts": self._shortcuts.found}

    def _answer(self, asked: volley.Question) -> None:
        """Answer one question at once."""
        value, trouble, changed, touched = self._answered(asked)
        told = {"changed": changed, "touched": touched, "trouble": None, **self._noticed()}
        if trouble is None:
            try:
                self._say(wire.VALUE, {"value": value, **told}, asked.room)
                return
            except BaseException as error:  # whatever the student's streams raise, SystemExit too
                trouble = self._trouble(error)
        self._say(wire.ERROR, {"value": None, **told, "trouble": trouble})

    def _answer_all(self, asked: list[volley.Question]) -> None:
        """Answer many questions in their order, in frames of as many as are ready."""
        done = volley.Answers()
        sent = time.monotonic()
        for question in asked:
            self._add_answer(done, question)
            if done.size > volley.LARGE or time.monotonic() - sent > SOON:
                self._send(done.frame(self._seq, self._noticed()))
                sent = time.monotonic()
        if len(done):
            self._send(done.frame(self._seq, self._noticed()))

    def _add_answer(self, done: volley.Answers, asked: volley.Question) -> None:
        value, *rest = self._answered(asked)
        try:
            done.add(value, rest, asked.room)
        except wire.ProtocolError as error:
            done.add(None, [self._trouble(error), *rest[1:]], asked.room)

    def _answered(self, asked: volley.Question) -> list[Any]:
        """Give the value, the trouble, which arguments changed, whether the generator moved."""
        self._watch.turn()
        before = generator.Watched()
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        trouble = value = None
        try:
            args += [volley.unpacked(each, self._object) for each in asked.args]
            kwargs |= {k: volley.unpacked(each, self._object) for k, each in asked.kwargs.items()}
            with np.errstate(all="ignore"):
                for target, name, given in asked.sets:
                    setattr(self._asked(target), name, volley.unpacked(given, self._object))
                value = self._do(asked.op, asked.name, asked.target, args, kwargs)
            made = asked.op == "new" and type(value) is self._named(asked.name)
            # A class may be made from list or dict: what it makes is its object all the same.
            value = self._keep(value) if made else self._plain(value, [asked.room], 0)
        except BaseException as error:  # whatever the student's code raised, SystemExit too
            value, trouble = None, self._trouble(error)
        return [value, trouble, self._changed_in(asked, args, kwargs), before.moved()]

    def _changed_in(self, asked: volley.Question, args: list[Any], kwargs: Any) -> list[Any]:
        """Give which arguments a call changed."""
        pairs = [*zip(range(len(args)), args, asked.args, strict=False)]
        pairs += [(name, value, asked.kwargs[name]) for name, value in kwargs.items()]
        changed: list[Any] = []
        for place, value, packed in pairs:
            try:
                if volley.unchanged(value, packed) or volley.same(
                    volley.unpacked(packed, self._object), value
                ):
                    continue
            except Exception:  # changed into something that cannot be compared
                pass
            changed.append(place)
        return changed

    def _do(self, op: str, name: str, target: int | None, args: Any, kwargs: Any) -> Any:
        assert self._program is not None
        if target is not None:
            owner = self._asked(target)
        else:
            exercise = self._program.owner.get(name)
            if exercise is not None:
                self._program.prepare(exercise)
                self._program.asked = exercise
            owner = self._program.lookup(name)
        if op == "get":
            return _attribute(owner, name)
        if op == "set":
            return setattr(owner, name, args[0])
        if op == "method":
            owner = _attribute(owner, name)
        self._shortcuts.asks(owner)
        return owner(*args, **kwargs)

    def _named(self, name: str) -> Any:
        assert self._program is not None
        return self._program.lookup(name)

    def _asked(self, target: int) -> Any:
        """Give an object that is asked now: what its code does counts where it was made."""
        assert self._program is not None
        found = self._object(target)
        self._program.asked = self._program.makers.get(id(found))
        return found

    # -- values ----------------------------------------------------------------------------

    def _object(self, number: int) -> Any:
        if number >= len(self._objects):
            raise Gone
        return self._objects[number]

    def _plain(self, value: Any, left: list[int], depth: int) -> Any:
        if value is None or type(value) in (bool, int, float):
            return value
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, np.ma.MaskedArray):
            raise Refused("masked")
        if isinstance(value, np.ndarray | np.generic):
            return _array(value, left)
        if isinstance(value, complex):
            raise Refused("complex")
        if depth >= wire.MAX_DEPTH:
            raise Refused("too large")
        if isinstance(value, list | tuple):
            left[0] -= 8 * len(value)  # a list may hold one row a thousand times over
            if left[0] < 0:
                raise Refused("too large")
            return tuple(self._plain(each, left, depth + 1) for each in value)
        if isinstance(value, dict):
            return {str(k): self._plain(each, left, depth + 1) for k, each in value.items()}
        return self._keep(value)

    def _keep(self, value: Any) -> wire.Handle:
        """Let an object stay here; give the number by which it is asked."""
        if len(self._objects) >= MAX_OBJECTS:
            raise Refused("too large")
        self._objects.append(value)
        if self._program is not None:
            self._program.makers.setdefault(id(value), self._program.asked)
        return wire.Handle(len(self._objects) - 1)

    def _trouble(self, error: BaseException) -> list[Any]:
        """Give kind, detail, line and place, in words of closed lists and the file's own name."""
        line, place = self._where(error)
        if isinstance(error, Refused):
            return ["refused", str(error), None, None]
        if isinstance(error, Gone):
            return ["gone", "", None, None]
        if isinstance(error, wire.ProtocolError):
            return ["refused", "too large", None, None]
        if isinstance(error, program.Skipped):
            return ["skipped", "", None, str(error)]
        if isinstance(error, Absent) or (isinstance(error, KeyError) and place is None):
            return ["missing", "", None, None]
        if isinstance(error, NotImplementedError):
            return ["stub", "", line, place]
        name = next(c.__name__ for c in type(error).__mro__ if BUILTIN.get(c.__name__) is c)
        return ["raised", name, line, place]

    def _where(self, error: BaseException) -> tuple[int | None, str | None]:
        units = self._units
        found: tuple[int | None, str | None] = (None, None)
        for unit in units.values():
            if unit.failure is error and isinstance(error, SyntaxError):
                found = (error.lineno, unit.place)
        step = error.__traceback__
        while step is not None:
            place = step.tb_frame.f_code.co_filename
            if place in units:
                found = (step.tb_lineno, place)
            step = step.tb_next
        if found[0] is not None and found[1] in units:
            found = (found[0] + units[found[1]].first_line - 1, found[1])
        return found


def _attribute(owner: Any, name: str) -> Any:
    """Give what an object has under a name that a check asks for.

    Raises
    ------
    Absent
        Where it has none: no line of the student's code raised that.
    """
    try:
        return getattr(owner, name)
    except AttributeError as error:
        if error.name == name and error.obj is owner:
            raise Absent from None
        raise


def _array(value: Any, left: list[int]) -> Any:
    kind = value.dtype.kind
    if kind not in "biuf":
        raise Refused(REFUSED.get(kind, "other"))
    left[0] -= value.size * min(value.dtype.itemsize, 8)
    if left[0] < 0:
        raise Refused("too large")
    array = np.array(value, copy=True, subok=False)
    return array.astype(np.float64) if array.dtype.itemsize > 8 else array
