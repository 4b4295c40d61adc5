"""Serves a submission's modules from memory, and stand-ins for drawing.

What is really installed is found first; then the submission's own files and exercises; then, for
a few libraries that only draw or count progress, a module on which every call does nothing, so
that a plot at the top of a file does not cost the functions below it. This runs inside the
worker: standard library only.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
import types
from collections.abc import Callable, Container, Iterable
from typing import Any, Protocol

MAX_ABSENT = 40
# Well-known packages that may well be where a student works, and are not needed here.
PACKAGES = frozenset(
    "autograd cupy einops flax jax keras mxnet numba onnx onnxruntime paddle pandas scipy sklearn "
    "sympy tensorflow torch transformers".split()
)
INERT = ("matplotlib", "seaborn", "IPython", "tqdm", "ipywidgets")


# What a dotted name may begin with and is no folder of hers; `solutions` would be the answers'.
NEVER_HERS = ("numpy", "autograder", "solutions", *INERT)


class Served(Protocol):
    """What the importer asks of a program."""

    ways: Ways

    def has(self, dotted: str) -> bool: ...
    def is_package(self, dotted: str) -> bool: ...
    def module(self, dotted: str, module: types.ModuleType) -> None: ...


class Ways:
    """Dotted names by which a submission asks for its own modules through folders.

    An editor writes ``from exercises.softmax import softmax``, by where the file lies; folders
    are no part of a hand-in's names.

    Parameters
    ----------
    dotted : iterable of str
        What its files import by a dotted name.
    exercises : container of str
    has : callable
        Whether it has a module of some name.
    """

    def __init__(
        self, dotted: Iterable[str], exercises: Container[str], has: Callable[[str], bool]
    ) -> None:
        self._has = has
        self._seen = {each for each in dotted if _leads(each, exercises)}

    def own_name(self, dotted: str) -> str | None:
        """Give the name of her own module that is asked for so: the last parts of it."""
        first, *rest = dotted.split(".")
        if dotted in self._seen or (first == "exercises" and not self._has(dotted)):
            tails = (".".join(rest[n:]) for n in range(len(rest)))
            return next((tail for tail in tails if self._has(tail)), None)
        return None

    def is_folder(self, dotted: str) -> bool:
        """Say whether something is asked for through a folder of that name."""
        return dotted == "exercises" or any(each.startswith(dotted + ".") for each in self._seen)


def _leads(dotted: str, exercises: Container[str]) -> bool:
    """Whether a dotted name leads to an exercise, through folders of the student's own."""
    first, last = dotted.partition(".")[0], dotted.rpartition(".")[2]
    hers = first not in sys.stdlib_module_names and first not in NEVER_HERS
    return hers and last in exercises


class Importer:
    """Finds and loads the modules of one program, after everything that is really installed.

    It is made of no abstract class: to load those takes as long as a third of NumPy.
    """

    def __init__(self, program: Served) -> None:
        self.program = program
        self.absent: list[str] = []  # what was asked for and is nowhere, by its first name

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if self.program.has(fullname) or fullname.split(".")[0] in INERT:
            package = self.program.is_package(fullname) or fullname.split(".")[0] in INERT
            return self._spec(fullname, is_package=package)
        if self.program.ways.own_name(fullname) is not None:
            return self._spec(fullname)
        if self.program.ways.is_folder(fullname):
            return self._spec(fullname, is_package=True)
        first = fullname.split(".")[0]
        if len(self.absent) < MAX_ABSENT and first not in self.absent:
            self.absent.append(first[:40])
        return None

    def _spec(self, name: str, *, is_package: bool = False) -> importlib.machinery.ModuleSpec:
        loader: Any = self
        return importlib.machinery.ModuleSpec(name, loader, is_package=is_package)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        """Give the very module that it is by its own name, where it is asked for by another."""
        own = self.program.ways.own_name(spec.name)
        return None if own is None else importlib.import_module(own)

    def exec_module(self, module: types.ModuleType) -> None:
        assert module.__spec__ is not None
        name = module.__spec__.name
        if self.program.ways.own_name(name) is not None:
            return
        if self.program.has(name):
            self.program.module(name, module)
        elif name.split(".")[0] in INERT:
            vars(module)["__getattr__"] = _attribute


class _Inert:
    """Stands in for drawing and progress bars: whatever is asked of it, nothing happens."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> Any:
        return self

    def __setitem__(self, key: object, value: object) -> None:
        pass

    def __iter__(self) -> Any:
        return iter((self, self))  # figure, axes = plt.subplots()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        pass


inert = _Inert()


class Missing(types.ModuleType):
    """Stands for a package that is not there, or a part of it: whoever uses it is told so."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise self._error()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise self._error()

    def __getitem__(self, key: object) -> Any:
        raise self._error()

    def __iter__(self) -> Any:
        raise self._error()

    def _error(self) -> ModuleNotFoundError:
        return ModuleNotFoundError(f"No module named {self.__name__!r}", name=self.__name__)


def _attribute(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("tqdm", "trange"):
        return (lambda it=(), *a, **k: it) if name == "tqdm" else range
    return inert
