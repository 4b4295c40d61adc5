"""Notices, inside a worker, which forbidden shortcuts the student's own code calls.

What counts is a call that stands in her own source and whose callee, when it runs, is the very
object that is listed: so no way of importing it matters, no name that it is bound to, and nothing
that NumPy or any library does inside, compiled or not. Each call in her syntax shows its callee
to `Shortcuts.seen` and gets it back as it is; no object is covered, no module is changed, and a
submission that nowhere names a listed package runs untouched. An import of what is not there at
all is noticed as a question for it.

Only what is called while one of the exercise's functions answers counts as used: a comparison at
the end of a file, or a star import, does no exercise's work. This is a course's policy, not a
barrier: code that wants to hide from it can. What is told is about the listed names only.

This runs inside the worker: standard library only, nothing of scores.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import itertools
import sys
import types
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.machinery import PathFinder
from typing import Any

from autograder.imports import INERT
from autograder.program import Program

ASKED, USED = "asked", "used"
SEEN = "__seen__"  # the name, among the built-in ones, that each call's callee goes through
# What does nothing with a function that it is handed but call it.
HANDS_ON: tuple[Any, ...] = (map, filter, sorted, min, max, functools.reduce, itertools.accumulate)


def _bound_to(method: Any) -> Any:
    return None if method.__name__.startswith("__") else method.__self__  # as `__reduce__`


# What a call of such an object calls: what it is bound to, as in `np.maximum.reduce`, or keeps.
INSIDE: dict[type, Callable[[Any], Any]] = {
    types.BuiltinMethodType: _bound_to,
    types.MethodType: lambda method: method.__self__,
    functools.partial: lambda made: made.func,
}
NUMPY_HANDS_ON = ("vectorize", "frompyfunc", "apply_along_axis", "apply_over_axes", "fromfunction")


class Shortcuts:
    """Looks out for one submission's use of what its exercises are to be solved without.

    Parameters
    ----------
    listed : mapping
        Exercise to the names that it is to be solved without.
    program : Program
    texts : sequence of bytes
        The submission's files.
    closed : bool
        Whether nothing can be imported but from where this process looks now.

    Attributes
    ----------
    found : list of (str, str, str)
        The exercise ("" where that cannot be told), the listed name, ``asked`` or ``used``.
    """

    def __init__(
        self,
        listed: Mapping[str, Sequence[str]],
        program: Program,
        texts: Iterable[bytes] = (),
        *,
        closed: bool = False,
    ) -> None:
        self.found: list[tuple[str, str, str]] = []
        self._closed = closed
        self._listed, self._program = listed, program
        self._names = {
            name
            for names in listed.values()
            for name in names
            if name.split(".")[0] not in INERT and not self._hers(name)
        }
        self._files = {unit.place: file.module for file in program.files for unit in file.units}
        # A listed function by its place in memory, kept so that the place stays its own
        self._things: dict[int, tuple[Any, str]] = {}
        self._hands_on: dict[int, Any] = {}
        self._inside = {id(kind): look for kind, look in INSIDE.items()}
        self._loaded = 0  # how many modules there were when they were looked at
        if self._names:
            self._listen()
        if self._named(texts):
            setattr(builtins, SEEN, self.seen)
            for unit in (unit for file in program.files for unit in file.units):
                if unit.tree is not None:
                    _mark(unit.tree)

    def _hers(self, name: str) -> bool:
        """Whether the submission has a module of that name, or one that it lies in."""
        parts = name.split(".")
        return any(self._program.has(".".join(parts[:n])) for n in range(1, len(parts) + 1))

    def _named(self, texts: Iterable[bytes]) -> bool:
        """Whether the submission names a package that something listed lies in."""
        wanted = {name.partition(".")[0] for name in self._names}
        if "builtins" in wanted:
            return True
        named: set[str] = set()
        for data in texts if wanted else ():
            text = data.decode("utf-8", "replace")
            if not text.isascii():  # Python reads full-width letters as their plain ones
                text = unicodedata.normalize("NFKC", text)
            named |= {first for first in wanted if first in text}
        return any(not self._closed or _is_there(first) for first in named)

    # -- what is there -----------------------------------------------------------------------

    def _look(self) -> None:
        """Find what is listed among the modules that are loaded."""
        if self._loaded == len(sys.modules):
            return
        self._loaded = len(sys.modules)
        for name in self._names:
            if name in sys.modules:
                within = [each for each in sys.modules if f"{each}.".startswith(f"{name}.")]
                values = [value for each in within for value in _contents(each).values()]
                elsewhere: set[int] | None = None
                for value in values:
                    own = _module_of(value)
                    if own is None:
                        elsewhere = elsewhere or self._elsewhere(name)
                    if own is None and id(value) in (elsewhere or ()):
                        continue
                    if own is None or f"{own}.".startswith(f"{name}."):
                        self._keep(value, name)
            else:
                holder, _, last = name.rpartition(".")
                value = _contents(holder).get(last)
                own, first = _module_of(value), name.partition(".")[0]
                if own is None or f"{own}.".startswith(f"{first}."):
                    self._keep(value, name)
        numpy = _contents("numpy")
        known = [*HANDS_ON, *(numpy[each] for each in NUMPY_HANDS_ON if each in numpy)]
        self._hands_on = {id(each): each for each in known}
        if "vectorize" in numpy:
            self._inside[id(numpy["vectorize"])] = lambda made: made.pyfunc

    def _elsewhere(self, name: str) -> set[int]:
        """Give the places of what other modules than that one and her own hold."""
        hers = {"__main__", "__notebook__", *(file.module for file in self._program.files)}
        others = [m for m in sys.modules if m not in hers and not f"{m}.".startswith(f"{name}.")]
        return {id(value) for each in others for value in list(_contents(each).values())}

    def _keep(self, value: Any, name: str) -> None:
        if isinstance(value, types.ModuleType) or not callable(value):
            return
        if isinstance(value, type) and issubclass(value, BaseException):
            return  # an exception does no work
        self._things.setdefault(id(value), (value, name))

    # -- what is called ----------------------------------------------------------------------

    def seen(self, callee: Any) -> Any:
        """Notice what a call in the student's source calls; give it back."""
        if self._program.asked is None:
            return callee
        if self._loaded != len(sys.modules):
            self._look()
        name = self._name_of(callee)
        if name is not None:
            self._use(name, sys._getframe(1))
        if id(callee) in self._hands_on:
            return self._handing_on(callee, sys._getframe(1))
        return callee

    def asks(self, callee: Any) -> None:
        """Notice a graded name that is bound to something listed itself."""
        if self._names and self._program.asked is not None:
            self._look()
            name = self._name_of(callee)
            if name is not None:
                self._use(name, None)

    def _handing_on(self, callee: Any, frame: types.FrameType) -> Callable[..., Any]:
        def handing_on(*args: Any, **kwargs: Any) -> Any:
            for name in map(self._name_of, (*args, *kwargs.values())):
                if name is not None:
                    self._use(name, frame)
            return callee(*args, **kwargs)

        return handing_on

    def _name_of(self, callee: Any) -> str | None:
        """Give the listed name of what a call calls; None where nothing is listed."""
        known = self._things.get(id(callee))
        if known is None:
            inside = self._inside.get(id(type(callee)))
            known = self._things.get(id(inside(callee))) if inside is not None else None
        return None if known is None else known[1]

    def _use(self, listed: str, frame: types.FrameType | None) -> None:
        asked = self._program.asked
        while frame is not None:
            if frame.f_code.co_filename in self._files:
                if frame.f_code.co_name == "<module>":
                    return  # a file that is run only now: it answers nothing
                owner = self._owner_of(frame)
                if owner is not None:
                    asked = owner
                    break
            frame = frame.f_back
        if asked is not None:
            self._note(asked, listed, USED)

    # -- what is not there -------------------------------------------------------------------

    def _listen(self) -> None:
        """Hear what is imported, by statement or by call, and is nowhere."""
        by_statement, by_call = builtins.__import__, importlib.import_module

        def heard(name: str, *more: Any, **named: Any) -> Any:
            try:
                return by_statement(name, *more, **named)
            except ImportError:
                taken = (named.get("fromlist") or (more[2] if len(more) > 2 else None)) or ()
                if not named.get("level", more[3] if len(more) > 3 else 0):
                    self._missed(name, taken, sys._getframe(1))
                raise

        def called(name: str, package: str | None = None) -> Any:
            try:
                return by_call(name, package)
            except ImportError:
                self._missed(name, (), sys._getframe(1))
                raise

        builtins.__import__ = functools.wraps(by_statement)(heard)
        importlib.import_module = functools.wraps(by_call)(called)

    def _missed(self, name: Any, taken: Any, frame: types.FrameType) -> None:
        owner = self._owner(frame)
        if type(name) is not str or owner is None:
            return
        wanted = [name, *(f"{name}.{each}" for each in taken if type(each) is str)]
        for listed in self._names:
            if any(f"{each}.".startswith(f"{listed}.") for each in wanted):
                self._note(owner, listed, ASKED)

    # -- whose -------------------------------------------------------------------------------

    def _owner(self, frame: types.FrameType | None) -> str | None:
        """Give the exercise whose code is asking, "" where none is; None where it is not hers."""
        hers = False
        while frame is not None:
            if frame.f_code.co_filename in self._files:
                hers = True
                owner = self._owner_of(frame)
                if owner is not None:
                    return owner
            elif not hers and not _between(frame.f_code.co_filename):
                return None
            frame = frame.f_back
        return "" if hers else None

    def _owner_of(self, frame: types.FrameType) -> str | None:
        """Give the exercise that a frame of hers belongs to: by its name, its object, its file."""
        code, owners = frame.f_code, self._program.owner
        owner = owners.get(code.co_qualname.partition(".")[0])
        if owner is None and "." in code.co_qualname and code.co_argcount:
            # A method of a base class works for the class that its object is of.
            first = frame.f_locals.get(code.co_varnames[0])
            kind = first if isinstance(first, type) else type(first)
            owner = next((owners[c.__name__] for c in kind.__mro__ if c.__name__ in owners), None)
            owner = owner or self._program.makers.get(id(first))
        file = self._files[code.co_filename]
        return file if owner is None and file in self._program.exercises else owner

    def _note(self, owner: str, listed: str, what: str) -> None:
        if owner and listed not in self._listed.get(owner, ()):
            return
        if (owner, listed, what) not in self.found:
            self.found.append((owner, listed, what))


def _mark(tree: ast.Module) -> None:
    """Let each call's callee go through `SEEN`; what is no code that runs stays as it is."""
    calls: list[ast.Call] = []
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call) and not _is_kept(node.func):
            calls.append(node)
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns"):
                found = value if isinstance(value, list) else [value]
                todo += [each for each in found if isinstance(each, ast.AST)]
    for call in calls:
        callee = call.func
        if isinstance(callee, ast.Attribute) and callee.end_lineno:
            call.lineno = callee.end_lineno  # where a chain over many lines failed
            call.col_offset = max(0, (callee.end_col_offset or 0) - len(callee.attr))
        seen = ast.copy_location(ast.Name(SEEN, ast.Load()), callee)
        call.func = ast.copy_location(ast.Call(seen, [callee], []), callee)


def _is_there(package: str) -> bool:
    """Whether a worker could import that package at all: what is not there is never called."""
    return package in sys.modules or PathFinder.find_spec(package) is not None


def _is_kept(callee: ast.expr) -> bool:
    """Whether a call stays as it is: what Python or `program` knows by its name."""
    return isinstance(callee, ast.Name) and callee.id in ("super", "grade")


def _contents(module: str) -> Mapping[str, Any]:
    found = sys.modules.get(module)
    return vars(found) if isinstance(found, types.ModuleType) else {}


def _module_of(value: Any) -> str | None:
    """Give the module that a function says it is of: one that another imports stays its own."""
    try:
        own = value.__module__
    except Exception:  # an object of a library's own making may answer anything
        return None
    return own.lstrip("_") if isinstance(own, str) else None


def _between(filename: str) -> bool:
    """Whether code of that name only passes on what other code wants."""
    return filename in ("<string>", "<frozen importlib._bootstrap>", importlib.__file__) or (
        filename == "<frozen importlib._bootstrap_external>"
    )


__all__ = ["ASKED", "USED", "Shortcuts"]
