"""One submission's worker, seen from the grading process: prepare, ask, end.

Whatever the student's code does is an answer or a `Trouble`, never an exception here. What comes
from the worker is copied, bounded and checked before it is used. How a process starts, and what
a right answer is, is not known here.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from autograder import volley, wire
from autograder.answers import (
    Line,
    LoadReport,
    Prepared,
    Shortcut,
    absent_of,
    changed_of,
    expect,
    line_of,
    lines_of,
    load_report,
    names_of,
    place_of,
    shortcuts_of,
    trouble_of,
)
from autograder.boot import Limits
from autograder.channel import Ended, Late, Printed
from autograder.launch import End, Process, SandboxFault
from autograder.patience import Patience
from autograder.student import Op, Reply, Trouble

ExerciseNames = tuple[str, tuple[str, ...]]  # an exercise, and its graded names
Forbidden = Mapping[str, Sequence[str]]  # exercise to what it is to be solved without
Set = tuple[int, str, Any]  # an object of the worker's, the attribute's name, its value
OPEN_SECONDS = 10.0
MAX_ANSWER = volley.ROOM
MAX_PROGRESS = 10_000  # announcements of units before one answer


class Lost(Exception):
    """The worker gave no answer and has been ended."""

    def __init__(self, trouble: Trouble, place: str | None) -> None:
        super().__init__(trouble.kind)
        self.trouble, self.place = trouble, place


class Worker:
    """One submission in its process. After a timeout or a death it stays dead.

    Attributes
    ----------
    report : LoadReport
        What its files define.
    alive : bool
        Whether it can still be asked.
    absent : set of str
        Well-known packages that the student's code asked for and did not get.
    lines : set of (str, str, int)
        The lines that were left out or wrote something: a code, the file or cell, the line.
    shortcuts : set of (str, str, str)
        The forbidden shortcuts that it told of.
    end : End or None
        How the process ended and what it used, once it is closed.
    """

    def __init__(
        self,
        process: Process,
        limits: Limits,
        files: tuple[str, ...],
        names: frozenset[str],
        skip: Mapping[str, Trouble],
        *,
        kill_is_fault: bool = False,
    ) -> None:
        self.report = LoadReport()
        self.alive = True
        self.absent: frozenset[str] = frozenset()
        self.lines: frozenset[Line] = frozenset()
        self.shortcuts: frozenset[Shortcut] = frozenset()
        self._forbidden: Forbidden = {}
        self.end: End | None = None
        self._process, self._limits = process, limits
        self._files, self._names, self._skip = files, names, skip
        self._kill_is_fault = kill_is_fault
        self._seq = 0
        self._until = time.monotonic() + limits.total
        self._loaded = Printed()
        self._asked = False

    def close(self) -> None:
        """End the process and all that it started."""
        self.alive = False
        # Where what it was forked from has ended, so has it.
        with contextlib.suppress(SandboxFault):
            self.end = self._process.end()

    def request(
        self, kind: int, value: Any, seconds: float, max_raw: int, *, total: float | None = None
    ) -> tuple[int, Any, str | None]:
        """Put one question; give the answer's kind and value, and the last unit announced.

        With a `total`, every unit has the seconds that else all have, and together they have that.

        Raises
        ------
        Lost
            If no answer came: the worker has been ended.
        """
        place: str | None = None
        self._seq += 1
        until = self._until if total is None else min(self._until, time.monotonic() + total)
        patience = Patience(self._process, seconds, until)
        begun: set[str | None] = set()
        try:
            frame = wire.order(kind, self._seq, value)
            self._process.channel.send(frame, patience.deadline)
            for _ in range(MAX_PROGRESS):
                head = wire.head(patience.receive(wire.HEADER.size), max_raw=max_raw)
                expect(head.seq == self._seq)
                tree = patience.receive(head.tree)
                told = wire.decode(tree, patience.receive(head.raw))
                if head.kind == wire.ENDLESS:
                    self._endless(told)
                if head.kind != wire.RUNNING:
                    expect(head.kind in (wire.VALUE, wire.ERROR))
                    return head.kind, told, place
                place = place_of(told, self._files)
                if total is not None and place not in begun:
                    begun.add(place)
                    patience = Patience(self._process, seconds, until)
            expect(False)
        except Late:
            self.alive = False
            self._process.end()
            raise Lost(Trouble("timeout", "", None, place), place) from None
        except Ended:
            self.alive = False
            raise Lost(self._ended(place), place) from None
        except wire.ProtocolError:
            self._process.end()
            self.alive = False
            raise Lost(Trouble("died", "", None, place), place) from None
        raise AssertionError

    def _endless(self, told: Any) -> NoReturn:
        """End it where it says that it never will: a claim that can only cost it points."""
        expect(isinstance(told, list | tuple) and len(told) == 3)
        place = place_of(told[0], self._files)
        how = "past" if told[2] is True else "loop"
        trouble = Trouble("timeout", how, line_of(told[1]), place)
        self.alive = False
        self._process.end()
        raise Lost(trouble, place)

    def _ended(self, place: str | None) -> Trouble:
        end = self._process.end(gently=True)
        if end.how == "killed" and self._kill_is_fault:
            raise SandboxFault("something outside ended a worker")
        if end.how == "cpu":
            return Trouble("timeout", "", None, place)
        if end.how in ("signal", "killed") and end.peak > 0.8 * self._limits.memory:
            return Trouble("died", "memory", None, place)
        return Trouble("died", "exit" if end.how == "exit" else "signal", None, place)

    def load(
        self,
        files: Sequence[tuple[str, bytes]],
        exercises: Sequence[ExerciseNames],
        given: Mapping[str, str],
        forbidden: Forbidden | None = None,
    ) -> Lost | None:
        """Let the worker read the files; give what stopped it, if something did."""
        self._forbidden = forbidden or {}
        value = {
            "forbidden": {exercise: list(names) for exercise, names in self._forbidden.items()},
            "files": [(wire.writable(name), data) for name, data in files],
            "exercises": [(exercise, tuple(names)) for exercise, names in exercises],
            "given": dict(given),
            "skip": list(self._skip),
        }
        try:
            _, told, _ = self.request(wire.OPEN, value, OPEN_SECONDS, MAX_ANSWER)
            self.report = load_report(told, self._files, self._names)
        except Lost as lost:
            return lost
        except wire.ProtocolError:
            return Lost(Trouble("died"), None)
        return None

    def prepare(self, exercise: str) -> Prepared:
        """Run what the exercise's names need; what ran before does not run again."""
        return self.prepare_all([exercise])[0]

    def prepare_all(self, exercises: Sequence[str], total: float = 0.0) -> list[Prepared]:
        """Run what each of the exercises needs; only one answer where the process was lost.

        Of several, each file or cell has the time that an exercise has, and all have `total`.

        Prepare all exercises before the first question: prints of what runs after it are dropped,
        because they could tell the inputs of earlier questions.
        """
        if not self.alive:
            return [Prepared(Trouble("died"))]
        place: str | None = None
        try:
            _, told, place = self.request(
                wire.PREPARE,
                list(exercises),
                self._limits.load,
                MAX_ANSWER,
                total=total if len(exercises) > 1 else None,
            )
            expect(type(told) is dict and isinstance(told.get("prepared"), list | tuple))
            expect(len(told["prepared"]) == len(exercises))
            self._heed(told)
            if not self._asked:  # as with prints: what runs later could spell hidden inputs
                self.lines |= lines_of(told.get("lines", ()), self._files)
            prints = self._prints()
            return [self._prepared(each, prints) for each in told["prepared"]]
        except Lost as lost:
            return [Prepared(lost.trouble, (), self._prints(), lost.place)]
        except wire.ProtocolError:
            self.close()
            return [Prepared(Trouble("died"), (), self._prints(), place)]

    def _prepared(self, told: Any, prints: str) -> Prepared:
        expect(type(told) is dict and isinstance(told.get("noted"), list | tuple))
        trouble = told.get("trouble")
        return Prepared(
            None if trouble is None else trouble_of(trouble, self._files, self._skip),
            tuple(trouble_of(each, self._files, self._skip) for each in told["noted"]),
            prints,
            there=names_of(told.get("there", ()), self._names),
        )

    def _heed(self, told: Mapping[str, Any]) -> None:
        self.absent |= absent_of(told.get("absent"))
        self.shortcuts |= shortcuts_of(told.get("shortcuts"), self._forbidden)

    def _prints(self) -> str:
        """Give what was printed before the first question: later prints may hold hidden inputs."""
        self._drain()
        printed = self._process.channel.printed.take()
        if not self._asked:
            self._loaded.add(printed.encode())
        return self._loaded.text()

    def _drain(self) -> None:
        if self.alive:
            self._process.channel.drain()

    def ask(
        self,
        op: Op,
        name: str,
        target: int | None,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        *,
        seconds: float,
        before: Sequence[Set] = (),
    ) -> Reply:
        """Put one question to the student's code, as `LocalStudent.ask` does to a namespace.

        Attributes to set `before` it go with the question: setting them has no answer of its own.
        """
        if not self.alive:
            return Reply(Trouble("died"))
        packer = volley.Packer(_number)
        sets = [(each, attribute, packer.pack(value)) for each, attribute, value in before]
        question = packer.question(op, name, target, args, kwargs, sets)
        self._process.channel.printed.take()
        self._asked = True
        started = time.monotonic()
        try:
            asked = volley.questions([question])
            kind, told, _ = self.request(wire.ASK, asked, seconds, question.room)
            spent = time.monotonic() - started
            expect(type(told) is dict and "value" in told and "trouble" in told)
            expect((kind == wire.ERROR) == (told["trouble"] is not None))
            reply = self._reply(
                question, *map(told.get, ("value", "trouble", "changed", "touched"))
            )
            self._heed(told)
            printed = self._process.channel.printed.take()
            return replace(reply, printed=printed, seconds=spent)
        except Lost as lost:
            printed = self._process.channel.printed.take()
            return Reply(lost.trouble, (), printed, False, time.monotonic() - started)
        except wire.ProtocolError:
            self.close()
            return Reply(Trouble("died"), (), "", False, time.monotonic() - started)

    def ask_all(
        self, asked: Sequence[volley.Question], seconds: float, total: float
    ) -> list[Reply] | None:
        """Put many questions at once; give None where not every answer came as it should.

        Then the process has been ended, and nothing is said about any of them. What was printed
        meanwhile goes with every answer.

        Parameters
        ----------
        asked : sequence of Question
        seconds, total : float
            The longest time in which nothing comes, and for all of them.
        """
        if not self.alive:
            return None
        self._process.channel.printed.take()
        self._asked = True
        self._seq += 1
        # A frame is sent on once it is large: it holds no more than that and one answer.
        room = volley.LARGE + max(each.room for each in asked)
        replies: list[Reply] = []
        until = min(self._until, time.monotonic() + total)
        patience = Patience(self._process, seconds, until)
        try:
            frame = wire.order(volley.ALL, self._seq, volley.questions(asked))
            self._process.channel.send(frame, patience.deadline)
            while len(replies) < len(asked):
                head = wire.head(
                    patience.receive(wire.HEADER.size), max_tree=volley.MAX_TREE, max_raw=room
                )
                expect(head.seq == self._seq and head.kind == volley.SOME)
                tree = patience.receive(head.tree)
                more, noticed = volley.answers(tree, patience.receive(head.raw))
                expect(0 < len(more) <= len(asked) - len(replies) and type(noticed) is dict)
                replies += [self._reply(asked[len(replies) + n], *o) for n, o in enumerate(more)]
                self._heed(noticed)
                patience = Patience(self._process, seconds, until)
            self._drain()
            printed = self._process.channel.printed
            if printed.cut:
                raise wire.ProtocolError("printed more than is kept")
            if text := printed.take():
                replies = [replace(each, printed=text) for each in replies]
            return replies
        except (Late, Ended, wire.ProtocolError):
            self.close()
            return None

    def _reply(
        self, asked: volley.Question, value: Any, trouble: Any, changed: Any, touched: Any
    ) -> Reply:
        expect(type(touched) is bool)
        changed = changed_of(changed, asked.args, asked.kwargs)
        if trouble is not None:
            value = trouble_of(trouble, self._files, self._skip)
        return Reply(value, changed, "", touched)


def _number(value: Any) -> int | None:
    return value.number if isinstance(value, wire.Handle) else None
