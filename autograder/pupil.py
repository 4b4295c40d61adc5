"""A submission in its worker, as the student that checks talk to.

Asked in lock step or many questions at once, within its time; its worker is started again after a
death, without what hung or ended it. What an answer is worth is not known here.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from autograder.answers import Line, Prepared, Shortcut
from autograder.sandbox import Sandbox, Worker
from autograder.session import Forbidden, Set
from autograder.student import Handle, Op, Reply, Student, Trouble
from autograder.volley import Question

Files = Sequence[tuple[str, bytes]]
Names = Sequence[tuple[str, tuple[str, ...]]]

DEATHS_ALLOWED = 2  # of one function, before its other checks count as dead without running
RESTARTS_ALLOWED = 40  # of one submission's worker
SUBMISSION_SECONDS = 60.0
SILENT_SECONDS = 0.15  # without any answer, before questions are rather asked one by one
AT_ONCE_SECONDS = 10.0  # of it for questions at once; what they took is added for those one by one
CALL_SECONDS = 1.0  # at least; else ten times the reference's own time
TIMES_REFERENCE = 10.0


class WorkerStudent(Student):
    """A submission in its worker: asked in lock step, restarted after a death.

    Attributes
    ----------
    definitions : dict
        Graded name to ``stub`` or ``attempted``; absent where it is not defined.
    absent : set of str
        Well-known packages that its code asked for and did not get, once it is closed.
    lines : set of (str, str, int)
        The lines of it that were left out, or wrote something.
    shortcuts : set of (str, str, str)
        What it took of what is forbidden, once it is closed.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        files: Files,
        names: Names,
        *,
        given: Mapping[str, str] | None = None,
        seconds: Mapping[str, float] | None = None,
        deadline: float | None = None,
        forbidden: Forbidden | None = None,
    ) -> None:
        super().__init__()
        self._sandbox, self._names = sandbox, names
        self.files: Files = files
        self._given, self._forbidden = dict(given or {}), forbidden
        self.shortcuts: set[Shortcut] = set()
        self._seconds = dict(seconds or {})
        self.deadline = deadline or time.monotonic() + SUBMISSION_SECONDS
        self._exercise = ""
        self._prepared: Trouble | None = None
        self._skip: dict[str, Trouble] = {}
        self._spent: dict[str, Reply] = {}
        self._deaths: dict[str, int] = {}
        self._answered: set[str] = set()  # functions that this worker has run
        self._restarts = 0
        self._classes: dict[int, str] = {}
        self._ready: dict[str, Trouble | None] = {}
        self._set: list[tuple[str, Set]] = []
        self.prints = ""
        self.lines: frozenset[Line] = frozenset()
        self._printed = False
        self.objects = 0  # that stay in the worker
        self._at_once = 0.0  # seconds that many questions at once took
        self._lost = False  # many at once ended it: from now on each is asked by itself
        self.absent: frozenset[str] = frozenset()
        self._worker: Worker | None = self._open()
        self.report = self._worker.report
        # What cannot be read is not tried again by a worker that is started anew.
        errors = {file.name: file.error for file in self.report.files if file.error is not None}
        deadly = {name for name, error in errors.items() if error[0] == "deadly"}
        self.files = [(name, data) for name, data in files if name not in deadly]
        self.definitions: Mapping[str, str] = self.report.definitions

    def _open(self) -> Worker:
        self._answered.clear()
        self.objects = 0
        return self._sandbox.open(
            self.files,
            exercises=self._names,
            given=self._given,
            skip=self._skip,
            forbidden=self._forbidden,
        )

    @property
    def is_notebook(self) -> bool:
        """Whether a notebook is among the files, whose cells run in their order."""
        return any(name.lower().endswith(".ipynb") for name, _ in self.files)

    def close(self) -> None:
        """End the worker and all that it started."""
        if self._worker is not None:
            self.absent |= self._worker.absent
            self.shortcuts |= self._worker.shortcuts
            self._worker.close()
            self._worker = None
        self._ready.clear()

    def prepare_all(self, exercises: Sequence[str]) -> None:
        """Prepare many at once, as far as that goes: each is still to be prepared by itself."""
        if self._worker is None or not self._worker.alive:
            return
        told = self._worker.prepare_all(exercises, self.deadline - time.monotonic())
        self.prints = told[0].stdout or self.prints
        self._find(told)
        self.lines |= self._worker.lines
        if self._worker.alive:
            self._ready |= dict(zip(exercises, (each.trouble for each in told), strict=True))
            return
        self.close()
        if told[0].trouble is not None and told[0].unit is not None:
            self._skip[told[0].unit] = told[0].trouble

    def _find(self, told: Sequence[Prepared]) -> None:
        """Take in what is defined in a way that only running shows."""
        for name in (name for each in told for name in each.there):
            self.definitions = {**self.definitions, name: "attempted"}

    def ask_all(self, questions: Sequence[Question]) -> list[Reply] | None:
        """Put many questions at once; None where that ended the worker, or may not be tried."""
        left = AT_ONCE_SECONDS - self._at_once
        if self._worker is None or not self._worker.alive or self._lost or left <= 0:
            return None
        started = time.monotonic()
        longest = max(self._seconds.get(each.name, 0.0) for each in questions)
        limit = max(SILENT_SECONDS, TIMES_REFERENCE * longest)
        self._printed = True  # a worker started anew may know of earlier questions
        self._answered |= {each.name for each in questions if each.target is None}
        replies = self._worker.ask_all(questions, limit, left)
        self._lost = replies is None
        for each in replies or ():
            self._seen(each)
        spent = time.monotonic() - started
        self._at_once += spent
        self.deadline += spent
        return replies

    def rewind(self) -> None:
        """Begin again with nothing run; what was printed, hung or ended the process is kept."""
        self.close()
        self._printed = True
        self._restarts -= 1  # the next start is nobody's fault

    def prepare(self, exercise: str) -> Trouble | None:
        """Run what `exercise` needs of the submission; give the trouble that came of it."""
        self._exercise = exercise
        if exercise in self._ready and self._worker is not None and self._worker.alive:
            self._prepared = self._ready[exercise]
            return self._prepared
        while time.monotonic() < self.deadline and self._restarts <= RESTARTS_ALLOWED:
            if self._worker is None:
                self._restarts += 1
                self._worker = self._open()
            prepared = self._worker.prepare(exercise)
            # A worker started anew may know of earlier questions, by the clock.
            if not self.trace and not self._printed:
                self.prints = prepared.stdout or self.prints
                self.lines |= self._worker.lines
            self._prepared = prepared.trouble
            self._find([prepared])
            if self._worker.alive:
                self._ready[exercise] = prepared.trouble
                return prepared.trouble
            # A file or cell hung or ended the process: run the others without it.
            self.close()
            if prepared.trouble is not None and prepared.unit is not None:
                self._skip[prepared.unit] = prepared.trouble
        self._prepared = Trouble("timeout", "total")
        return self._prepared

    def ask(
        self,
        op: Op,
        name: str,
        target: int | None,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Reply:
        """Ask the worker; after a hang or a death only this function's checks are lost.

        Setting an attribute has no answer to wait for: it goes with the next question, whose
        trouble it is where it fails.
        """
        owner = name if target is None else self._classes.get(target, name)
        if owner in self._spent:
            return self._spent[owner]
        if op == "set" and target is not None:
            self._set.append((self.check, (target, name, args[0])))
            return Reply(None)
        before = [each for check, each in self._set if check == self.check]
        self._set.clear()
        if self._worker is None or not self._worker.alive:
            self.close()
            trouble = self.prepare(self._exercise)
            if self._worker is None:
                return Reply(trouble or Trouble("died"))
        if target is None:
            self._prepare_for(name)
            if self._worker is None:
                return Reply(Trouble("died"))
        limit = max(CALL_SECONDS, TIMES_REFERENCE * self._seconds.get(name, 0.0))
        left = self.deadline - time.monotonic()
        if left <= 0:
            return Reply(Trouble("timeout", "total"))
        assert self._worker is not None
        others = self._answered - {owner}
        self._answered.add(owner)
        reply = self._worker.ask(
            op, name, target, args, kwargs, seconds=min(limit, left), before=before
        )
        if others and target is None and _out_of_breath(reply.value):
            # What another function left behind may be the reason: it costs this one no check.
            self.close()
            return self.ask(op, name, target, args, kwargs)
        return self._heed(op, owner, reply, limit)

    def _prepare_for(self, name: str) -> None:
        """Run another exercise's file before its function is asked, in the time that files have."""
        owner = next((each for each, names in self._names if name in names), self._exercise)
        if owner != self._exercise and owner not in self._ready:
            exercise, prepared = self._exercise, self._prepared
            self.prepare(owner)
            self._exercise, self._prepared = exercise, prepared

    def _seen(self, reply: Reply) -> None:
        if isinstance(reply.value, Handle):
            self.objects = max(self.objects, reply.value.number + 1)

    def _heed(self, op: Op, owner: str, reply: Reply, limit: float) -> Reply:
        self._seen(reply)
        trouble = reply.value
        if not isinstance(trouble, Trouble):
            if op == "new" and hasattr(trouble, "number"):
                self._classes[trouble.number] = owner
            return reply
        if trouble.kind == "missing" and self._prepared is not None:
            # The name is absent because its file or cell did not get through.
            return Reply(self._prepared)
        if trouble.kind == "timeout":
            reply = self._spent[owner] = replace(reply, seconds=limit)
        elif trouble.kind == "died":
            self._deaths[owner] = self._deaths.get(owner, 0) + 1
            if self._deaths[owner] >= DEATHS_ALLOWED:
                self._spent[owner] = reply
        return reply


def _out_of_breath(value: Any) -> bool:
    """Whether a process ended or ran out of memory, and not for want of time."""
    if not isinstance(value, Trouble):
        return False
    return value.kind == "died" or (value.kind, value.detail) == ("raised", "MemoryError")
