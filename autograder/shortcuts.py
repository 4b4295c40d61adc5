"""Notices, inside a worker, which forbidden shortcuts the student's own code asks for and uses.

What counts is what happens. A module that is listed, or the one that holds a listed function,
looks at who takes something out of it: if that is the student's code, a function goes out in a
cover that notices its call. So no way of importing matters, no name that it is bound to, and no
spelling; nor does an import of NumPy's or of any library. An import of what is not there at all
is noticed as a question for it.

Only what is called while one of the exercise's functions answers counts as used: a comparison at
the end of a file, or a star import, does no exercise's work. This is a course's policy, not a
barrier: code that wants to hide from it can. What is told is about the listed names only.

This runs inside the worker: standard library only, nothing of scores.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograder.imports import INERT
from autograder.program import Program

ASKED, USED = "asked", "used"
ALL = "*"  # whatever is taken out of a module that is listed itself


class Borrowed:
    """A listed function as the student's code gets it: it notices its call and does its work."""

    def __init__(self, real: Any, used: Callable[[types.FrameType], None]) -> None:
        self.__wrapped__ = real
        self.__doc__ = real.__doc__
        self._used = used

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._used(sys._getframe(1))
        return self.__wrapped__(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):  # as in `np.maximum.reduce`
            self._used(sys._getframe(1))
        return getattr(self.__wrapped__, name)

    def __repr__(self) -> str:
        return repr(self.__wrapped__)


class Shortcuts:
    """Looks out for one submission's use of what its exercises are to be solved without.

    Attributes
    ----------
    found : list of (str, str, str)
        The exercise ("" where that cannot be told), the listed name, ``asked`` or ``used``.
    """

    def __init__(self, listed: Mapping[str, Sequence[str]], program: Program) -> None:
        self.found: list[tuple[str, str, str]] = []
        self._listed, self._program = listed, program
        self._names = {
            name
            for names in listed.values()
            for name in names
            if name.split(".")[0] not in INERT and not self._hers(name)
        }
        self._files = {unit.place: file.module for file in program.files for unit in file.units}
        # A module, by its place in memory → what is taken out of it → the listed name
        self._watched: dict[int, dict[str, str]] = {}
        self._loaded = 0  # how many modules there were when they were looked at
        self._covers: dict[tuple[str, str], Borrowed] = {}
        self._kind = self._watching()
        if self._names:
            self._look()
            self._listen()

    def _hers(self, name: str) -> bool:
        """Whether the submission has a module of that name, or one that it lies in."""
        parts = name.split(".")
        return any(self._program.has(".".join(parts[:n])) for n in range(1, len(parts) + 1))

    # -- what is there -----------------------------------------------------------------------

    def _look(self) -> None:
        """Watch each module that is listed or holds what is listed, once it is loaded."""
        if self._loaded == len(sys.modules):
            return
        self._loaded = len(sys.modules)
        for name in self._names:
            holder, _, last = name.rpartition(".")
            if name in sys.modules:
                for module in [m for m in sys.modules if f"{m}.".startswith(f"{name}.")]:
                    self._watch(module, ALL, name)
            elif holder in sys.modules:
                self._watch(holder, last, name)

    def _watch(self, module: str, taken: str, name: str) -> None:
        real = sys.modules[module]
        if type(real) not in (types.ModuleType, self._kind):
            return  # a module of a kind of its own, or none: it stays as it is
        self._watched.setdefault(id(real), {})[taken] = name
        real.__class__ = self._kind

    def _watching(self) -> type[types.ModuleType]:
        """Make the class of modules that look at who takes something out of them."""
        taken, watched = self._taken, self._watched

        class Module(types.ModuleType):
            def __getattribute__(self, name: str) -> Any:
                value = super().__getattribute__(name)
                if name.startswith("__"):
                    return value
                about = watched.get(id(self), {})
                listed = about.get(name) or about.get(ALL)
                return value if listed is None else taken(listed, name, value, sys._getframe(1))

        return Module

    def _taken(self, listed: str, name: str, value: Any, frame: types.FrameType) -> Any:
        if isinstance(value, types.ModuleType) or self._owner(frame) is None:
            return value
        if isinstance(value, type) or not callable(value) or hasattr(value, "__mro_entries__"):
            # A class goes out as it is, since code compares with it; an exception does no work.
            if not (isinstance(value, type) and issubclass(value, BaseException)):
                self._use(listed, frame)
            return value
        if isinstance(value, Borrowed):
            return value
        known = self._covers.get((listed, name))
        if known is None or known.__wrapped__ is not value:
            known = Borrowed(value, lambda caller: self._use(listed, caller))
            self._covers[listed, name] = known
        return known

    def _use(self, listed: str, frame: types.FrameType | None) -> None:
        if self._program.asked is None:
            return
        while frame is not None and frame.f_code.co_filename not in self._files:
            frame = frame.f_back
        owner = self._owner(frame) if frame is not None else None
        self._note(owner or self._program.asked, listed, USED)

    # -- what is not there -------------------------------------------------------------------

    def _listen(self) -> None:
        """Hear what is imported, by statement or by call, so that nothing is looked at too late."""
        by_statement, by_call = builtins.__import__, importlib.import_module

        def heard(name: str, *more: Any, **named: Any) -> Any:
            taken = (named.get("fromlist") or (more[2] if len(more) > 2 else None)) or ()
            level = named.get("level", more[3] if len(more) > 3 else 0)
            try:
                found = by_statement(name, *more, **named)
            except ImportError:
                if not level:
                    self._missed(name, taken, sys._getframe(1))
                raise
            self._look()
            return found

        def called(name: str, package: str | None = None) -> Any:
            try:
                found = by_call(name, package)
            except ImportError:
                self._missed(name, (), sys._getframe(1))
                raise
            self._look()
            return found

        builtins.__import__ = heard
        importlib.import_module = called

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
            code = frame.f_code
            file = self._files.get(code.co_filename)
            if file is None:
                if not hers and not _between(code.co_filename):
                    return None
            else:
                hers = True
                owner = self._program.owner.get(code.co_qualname.partition(".")[0])
                if owner is None and file in self._program.exercises:
                    owner = file
                if owner is not None:
                    return owner
            frame = frame.f_back
        return "" if hers else None

    def _note(self, owner: str, listed: str, what: str) -> None:
        if owner and listed not in self._listed.get(owner, ()):
            return
        if (owner, listed, what) not in self.found:
            self.found.append((owner, listed, what))


def _between(filename: str) -> bool:
    """Whether code of that name only passes on what other code wants."""
    return filename in ("<string>", "<frozen importlib._bootstrap>", importlib.__file__) or (
        filename == "<frozen importlib._bootstrap_external>"
    )


__all__ = ["ASKED", "USED", "Borrowed", "Shortcuts"]
