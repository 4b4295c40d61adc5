"""The `student` that a grader's check talks to, and the record of what it was asked.

A check writes ``student.softmax(x)``, ``student.SelfAttention(8, 4, 3)``, ``att.W_q = W``,
``att.forward(X)``. Whoever answers (a worker process, a trusted namespace, frozen data), each
question is one `Step` in a trace, so that a diagnosis can ask the same questions of others.
Answers are plain values: arrays, numbers, strings, booleans, None, tuples, dicts, and `Remote`
for an object that stays where it was made.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from autograder.generator import Watched
from autograder.wire import Handle as Handle

Op = Literal["call", "new", "get", "set", "method"]


class Trouble(Exception):
    """The student's code gave no usable answer.

    Attributes
    ----------
    kind : str
        ``raised``, ``stub`` (still the placeholder), ``missing`` (no such name), ``timeout``,
        ``died`` (the process ended), ``refused`` (an answer of a kind that cannot be judged).
    detail : str
        ``raised``: the built-in exception's name, or the nearest that it is a kind of;
        ``refused``: the kind of value, such as ``complex``;
        ``died``: ``exit``, ``memory``, ``signal``; else "".
    line : int or None
        The line in the student's own file, where known.
    file : str or None
        The student's file, where known.
    """

    def __init__(
        self, kind: str, detail: str = "", line: int | None = None, file: str | None = None
    ) -> None:
        super().__init__(kind, detail, line)
        self.kind, self.detail, self.line, self.file = kind, detail, line, file

    def same_as(self, other: object) -> bool:
        """Whether the other is the same kind of trouble, wherever it happened."""
        return isinstance(other, Trouble) and (other.kind, other.detail) == (self.kind, self.detail)


@dataclass(frozen=True)
class Reply:
    """One answer, with what was seen beside it.

    Attributes
    ----------
    value : object
        The answer, or a `Trouble`.
    changed : tuple of int or str
        Arguments that the call changed, by position or keyword.
    printed : str
        What the call printed, cut.
    touched_rng : bool
        Whether NumPy's global generator moved.
    seconds : float
        How long it took: in this process its own processor time, so that a limit that follows from
        it is the same on a busy machine.
    """

    value: Any
    changed: tuple[int | str, ...] = ()
    printed: str = ""
    touched_rng: bool = False
    seconds: float = 0.0


@dataclass(frozen=True)
class Step:
    """One question to the student's code and its answer, with arguments as they were asked."""

    check: str
    op: Op
    name: str
    target: int | None
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    reply: Reply


def frozen(value: Any) -> Any:
    """Give a deep copy of a plain value, with `Remote` objects as `Handle`."""
    if isinstance(value, Remote):
        return handle_of(value)
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, list | tuple):
        return type(value)(frozen(each) for each in value)
    if isinstance(value, dict):
        return {key: frozen(each) for key, each in value.items()}
    return value


class Student:
    """Answers questions about one submission's code; subclasses say who answers.

    Attributes
    ----------
    trace : list of Step
        All that was asked, in order.
    last : Reply
        What the latest question gave.
    check : str
        The name of the check that is asking (set by whoever runs the checks).
    """

    def __init__(self) -> None:
        self.trace: list[Step] = []
        self.last = Reply(None)
        self.check = ""

    def ask(
        self,
        op: Op,
        name: str,
        target: int | None,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Reply:
        """Put one question; every subclass answers this."""
        raise NotImplementedError

    def perform(
        self, op: Op, name: str, target: int | None, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Put one question, record it, and give the answer or raise its `Trouble`."""
        asked, keywords = frozen(args), frozen(kwargs)
        self.last = reply = self.ask(op, name, target, asked, keywords)
        self.trace.append(Step(self.check, op, name, target, asked, keywords, reply))
        if isinstance(reply.value, Trouble):
            raise reply.value
        return self.revive(frozen(reply.value))

    def revive(self, value: Any) -> Any:
        """Turn each `Handle` in an answer into a `Remote`."""
        if isinstance(value, Handle):
            return Remote(self, value.number)
        if isinstance(value, list | tuple):
            return type(value)(self.revive(each) for each in value)
        if isinstance(value, dict):
            return {key: self.revive(each) for key, each in value.items()}
        return value

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        op: Op = "new" if name[0].isupper() else "call"
        return lambda *args, **kwargs: self.perform(op, name, None, args, kwargs)


class Remote:
    """An object of the student's: attributes are read and set, methods called, over there.

    An attribute that starts with a capital and an underscore (``W_q``) or is asked for with
    `read` is data; every other name is a method.
    """

    def __init__(self, student: Student, number: int) -> None:
        object.__setattr__(self, "_student", student)
        object.__setattr__(self, "_number", number)

    def read(self, name: str) -> Any:
        """Give the attribute's value."""
        student: Student = object.__getattribute__(self, "_student")
        return student.perform("get", name, object.__getattribute__(self, "_number"), (), {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name.startswith("W_"):
            return self.read(name)
        student: Student = object.__getattribute__(self, "_student")
        number: int = object.__getattribute__(self, "_number")
        return lambda *args, **kwargs: student.perform("method", name, number, args, kwargs)

    def __setattr__(self, name: str, value: Any) -> None:
        student: Student = object.__getattribute__(self, "_student")
        number: int = object.__getattribute__(self, "_number")
        student.perform("set", name, number, (value,), {})


def handle_of(remote: Remote) -> Handle:
    """Give the number by which the other side knows an object."""
    return Handle(object.__getattribute__(remote, "_number"))


BUILTIN_EXCEPTIONS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)


def builtin_name(error: BaseException) -> str:
    """Give the name of the built-in exception that an error is, or is a kind of."""
    kinds = type(error).__mro__
    return next(str(k.__name__) for k in kinds if vars(builtins).get(k.__name__) is k)


def plain(value: Any, keep: Callable[[object], Handle]) -> Any:
    """Make an answer plain: NumPy scalars become 0-d arrays, other objects handles.

    Raises
    ------
    Trouble
        ``refused``, where a value is complex, masked, of objects or of strings.
    """
    if value is None or isinstance(value, bool | str) or type(value) in (int, float):
        return value
    if isinstance(value, np.ma.MaskedArray):
        raise Trouble("refused", "masked")
    if isinstance(value, np.ndarray | np.generic):
        array = np.array(value, copy=True, subok=False)
        if array.dtype.kind not in "biuf":
            names = {"c": "complex", "O": "object", "U": "string", "S": "string"}
            raise Trouble("refused", names.get(array.dtype.kind, "other"))
        return array
    if isinstance(value, complex):
        raise Trouble("refused", "complex")
    if isinstance(value, list | tuple):
        return tuple(plain(each, keep) for each in value)
    if isinstance(value, dict):
        return {str(key): plain(each, keep) for key, each in value.items()}
    return keep(value)


@dataclass
class LocalStudent(Student):
    """A trusted namespace that answers in this process: the reference, or a known mistake.

    Attributes
    ----------
    namespace : dict
        Name to function or class.
    listens : bool
        Whether what it prints is caught. That takes the whole process' standard output: not where
        several threads ask.
    """

    namespace: Mapping[str, Any]
    objects: list[Any] = field(default_factory=list)
    listens: bool = True

    def __post_init__(self) -> None:
        super().__init__()

    def _keep(self, value: object) -> Handle:
        self.objects.append(value)
        return Handle(len(self.objects) - 1)

    def _thaw(self, value: Any) -> Any:
        """Give an argument as the code gets it: objects for handles, and arrays of its own."""
        if isinstance(value, Handle):
            return self.objects[value.number]
        if isinstance(value, np.ndarray):
            return value.copy()  # so that what the code changes differs from what was asked
        if isinstance(value, list | tuple):
            return type(value)(self._thaw(each) for each in value)
        if isinstance(value, dict):
            return {key: self._thaw(each) for key, each in value.items()}
        return value

    def _caught(self, printed: io.StringIO) -> contextlib.AbstractContextManager[object]:
        return contextlib.redirect_stdout(printed) if self.listens else contextlib.nullcontext()

    def _target(self, op: Op, name: str, target: int | None) -> Any:
        if target is not None:
            return self.objects[target]
        try:
            return self.namespace[name]
        except KeyError:
            raise Trouble("missing") from None

    def ask(
        self,
        op: Op,
        name: str,
        target: int | None,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Reply:
        """Answer from the namespace; whatever it raises becomes a `Trouble`."""
        values = tuple(self._thaw(each) for each in args)
        keywords = {key: self._thaw(each) for key, each in kwargs.items()}
        printed = io.StringIO()
        before = Watched() if op == "new" else None
        start = time.thread_time()
        try:
            with self._caught(printed), np.errstate(all="ignore"):
                owner = self._target(op, name, target)
                if op == "get":
                    value = getattr(owner, name)
                elif op == "set":
                    setattr(owner, name, values[0])
                    value = None
                elif op == "method":
                    value = getattr(owner, name)(*values, **keywords)
                else:
                    value = owner(*values, **keywords)
                value = plain(value, self._keep)
        except Trouble as trouble:
            value = trouble
        except NotImplementedError:
            value = Trouble("stub")
        except AttributeError as error:
            absent = op in ("get", "method") and error.name == name and error.obj is owner
            value = Trouble("missing") if absent else Trouble("raised", "AttributeError")
        except Exception as error:
            value = Trouble("raised", builtin_name(error))
        changed: list[int | str] = [
            place
            for place, (old, new) in enumerate(zip(args, values, strict=True))
            if _differs(old, new)
        ]
        return Reply(
            value,
            tuple(changed),
            printed.getvalue()[:2000],
            before is not None and before.moved(),
            time.thread_time() - start,
        )


def _differs(old: Any, new: Any) -> bool:
    if not isinstance(old, np.ndarray):
        return False
    return not (old.shape == new.shape and old.tobytes() == new.tobytes())
