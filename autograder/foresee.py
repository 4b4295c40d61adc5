"""The reference in the student's place, and the student as she answered: what a check would ask.

`Foreseen` runs a check on the solutions and writes down its questions, and which earlier answers
each of them holds; `Recalled` lets the same check run again on the answers that came. When they are
asked, and what is believed, is not known here.
"""

from __future__ import annotations

import marshal
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from autograder.grade import Outcome
from autograder.oracle import Owned, Reference
from autograder.student import (
    Handle,
    Op,
    Remote,
    Reply,
    Student,
    Trouble,
    builtin_name,
    handle_of,
)
from autograder.volley import LEAVES, Packer, Question, same, unchanged
from autograder.wire import ProtocolError

NO_REFERENCES = 2  # of marshal's format: what is equal is written equally
NO_KEYWORDS = ["dict"]

Source: TypeAlias = "tuple[Foreseen, int]"  # a check's question, by its place


class Known(Reference):
    """The solutions, each call of a function computed once for a submission."""

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        super().__init__(namespace)
        self._values: dict[tuple[str, bytes], Any] = {}
        self._latest: tuple[Any, ...] | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        compute = super().__getattr__(name)
        if isinstance(self._namespace[name], type):
            return compute  # an object changes

        def call(*args: Any, **kwargs: Any) -> Any:
            if (latest := self._latest) is not None and _again(latest, name, args, kwargs):
                return latest[-1]
            packer = Packer(_none)
            try:
                packed = [[packer.pack(each) for each in args], packer.pack(kwargs)]
            except ProtocolError:
                return compute(*args, **kwargs)
            return self.asked(name, args, kwargs, packed)

        return call

    def asked(self, name: str, args: Any, kwargs: Any, packed: list[Any]) -> Any:
        """Give what a function answers; the same arguments are `packed`, positional and by name."""
        if isinstance(self._namespace.get(name), type):
            return getattr(self, name)(*args, **kwargs)
        key = name, marshal.dumps(packed, NO_REFERENCES)
        if key not in self._values:
            self._values[key] = _fixed(super().__getattr__(name)(*args, **kwargs))
        self._latest = name, args, kwargs, packed, self._values[key]
        return self._values[key]


def _again(latest: tuple[Any, ...], name: str, args: Any, kwargs: Any) -> bool:
    """Whether the latest call is made once more: the same objects, which hold what they held."""
    called, given, _, packed, _ = latest
    return (
        called == name
        and not kwargs
        and packed[1] == NO_KEYWORDS
        and len(args) == len(given)
        and all(map(operator.is_, args, given))
        and all(map(unchanged, args, packed[0]))
    )


def _fixed(value: Any) -> Any:
    """Keep an answer that is given more than once from being changed."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif isinstance(value, tuple):
        for each in value:
            _fixed(each)
    elif isinstance(value, dict):
        for each in value.values():
            _fixed(each)
    return value


def _none(value: Any) -> None:
    return None


def _number(value: Any) -> int | None:
    return handle_of(value).number if isinstance(value, Remote) else None


class _Asking(Student):
    """Turns what a check asks into questions; attributes that it sets go with the next one."""

    def __init__(self) -> None:
        super().__init__()
        self._sets: list[Any] = []

    def _question(
        self, op: Op, name: str, target: int | None, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Question | None:
        packer = Packer(_number)
        if op == "set" and target is not None:
            self._sets.append((target, name, packer.pack(args[0])))
            return None
        sets, self._sets = self._sets, []
        return packer.question(op, name, target, args, kwargs, sets)


class Answers:
    """Arrays that were given as answers, to be known again: themselves, as views, as copies."""

    def __init__(self) -> None:
        self._owners: dict[int, tuple[Any, Source]] = {}  # kept, so that places stay their own
        self._contents: dict[tuple[str, bytes], Source] = {}

    def add(self, value: Any, source: Source) -> None:
        """Remember the arrays in the answer to a question."""
        for each in arrays(value):
            self._owners.setdefault(id(_owner(each)), (_owner(each), source))
            if each.size > 1:
                self._contents.setdefault(_content(each), source)

    def clear(self) -> None:
        """Let go of all: what was asked holds these answers, and they hold who asked."""
        self._owners.clear()
        self._contents.clear()

    def sources(self, value: Any) -> Iterator[Source]:
        """Give the questions whose answers are in a value."""
        for each in arrays(value):
            if (owned := self._owners.get(id(_owner(each)))) is not None:
                yield owned[1]
            elif (source := self._contents.get(_content(each))) is not None:
                yield source


def arrays(value: Any) -> Iterator[Any]:
    todo = [value]
    while todo:
        value = todo.pop()
        if isinstance(value, np.ndarray):
            yield value
            continue
        if isinstance(value, dict):
            value = [*value.values()]
        if isinstance(value, list | tuple):
            todo += [each for each in reversed(value) if type(each) not in LEAVES]


def _owner(array: Any) -> Any:
    return array if array.base is None else array.base


def _content(array: Any) -> tuple[str, bytes]:
    return array.dtype.str, array.tobytes()


class Foreseen(_Asking):
    """The reference in the student's place: it answers, and writes down what it is asked.

    Parameters
    ----------
    known : Known
    objects : list of Owned
        What the answers made so far, all checks together.
    first : int
        The number that the worker will give to the first of them.

    Attributes
    ----------
    questions : list of Question
    values : list
        What it answered to each, as a worker says it; its own trouble where it raised.
    telling : dict
        The place of a question that holds earlier answers, to the questions that those are to.
    outcome : Outcome
        What became of the check, once it has run.
    replies : list of Reply
        What the student replied, as far as she was asked.
    """

    outcome: Outcome

    def __init__(
        self, known: Known, objects: list[Owned], first: int, answers: Answers | None = None
    ) -> None:
        super().__init__()
        self._known, self._objects, self._first = known, objects, first
        self._answers = Answers() if answers is None else answers
        self._tells: list[Source] = []
        self.questions: list[Question] = []
        self.values: list[Any] = []
        self.telling: dict[int, list[Source]] = {}
        self.replies: list[Reply] = []

    def came(self, place: int) -> bool:
        """Whether just what the reference answered came back, and nothing else was noticed."""
        value, reply = self.values[place], self.replies[place]
        return not (
            reply.changed or reply.printed or reply.touched_rng or isinstance(value, Trouble)
        ) and same(value, reply.value)

    def forget(self) -> None:
        """Let go of what holds it in turn: else all of a hand-in waits for the collector."""
        self.telling.clear()
        for value in (*self.values, *(reply.value for reply in self.replies)):
            if isinstance(value, Trouble):
                value.__traceback__ = None

    @property
    def as_foreseen(self) -> bool:
        """Whether the check passed, and every answer came so."""
        return self.outcome.passed and all(map(self.came, range(len(self.questions))))

    def perform(
        self, op: Op, name: str, target: int | None, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Answer as the reference does."""
        self._tells += self._answers.sources((args, kwargs))
        question = self._question(op, name, target, args, kwargs)
        if question is not None:
            if self._tells:
                self.telling[len(self.questions)], self._tells = self._tells, []
            self.questions.append(question)
        try:
            value = self._answer(question, op, name, target, args, kwargs)
        except Exception as error:
            value = Trouble("raised", builtin_name(error))
        if isinstance(value, Owned):
            self._objects.append(value)
            value = Handle(self._first + len(self._objects) - 1)
        if question is not None:
            self._answers.add(value, (self, len(self.values)))
            self.values.append(value)
        self.last = Reply(value)
        if isinstance(value, Trouble):
            raise value
        return Remote(self, value.number) if isinstance(value, Handle) else value

    def _own(self, value: Any) -> Any:
        number = _number(value)
        return value if number is None else self._objects[number - self._first]

    def _answer(
        self,
        question: Question | None,
        op: Op,
        name: str,
        target: int | None,
        args: Sequence[Any],
        kwargs: dict[str, Any],
    ) -> Any:
        remote = any(isinstance(each, Remote) for each in (*args, *kwargs.values()))
        if target is None and question is not None and not remote:
            return self._known.asked(
                name, args, kwargs, [question.args, ["dict", *question.kwargs.items()]]
            )
        args = [self._own(each) for each in args]
        if target is None:
            return getattr(self._known, name)(*args, **kwargs)
        owned = self._objects[target - self._first]
        if op == "set":
            return setattr(owned, name, args[0])
        return owned.read(name) if op == "get" else getattr(owned, name)(*args, **kwargs)


class Recalled(_Asking):
    """The student as answered: it answers as long as it is asked what was foreseen."""

    def __init__(self, asked: Sequence[Question], replies: Sequence[Reply]) -> None:
        super().__init__()
        self._left = list(zip(asked, replies, strict=True))[::-1]

    @property
    def done(self) -> bool:
        """Whether all that was foreseen has been asked."""
        return not self._left

    def perform(
        self, op: Op, name: str, target: int | None, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Give the answer that came, or raise its `Trouble`."""
        question = self._question(op, name, target, args, kwargs)
        if question is None:
            return None
        foreseen, reply = self._left.pop() if self._left else (None, Reply(None))
        if question != foreseen:
            self._left.append((question, reply))  # nothing is done any more
            reply = Reply(Trouble("missing"))
        self.last = reply
        if isinstance(reply.value, Trouble):
            raise reply.value
        return self.revive(reply.value)
