"""Serves a submission's modules from memory, and stand-ins for drawing.

What is really installed is found first; then the submission's own files and exercises; then, for
a few libraries that only draw or count progress, a module on which every call does nothing, so
that a plot at the top of a file does not cost the functions below it. This runs inside the
worker: standard library only.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import types
from typing import Any, Protocol

MAX_ABSENT = 40
INERT = ("matplotlib", "seaborn", "IPython", "tqdm", "ipywidgets")


class Served(Protocol):
    """What the importer asks of a program."""

    def has(self, dotted: str) -> bool: ...
    def is_package(self, dotted: str) -> bool: ...
    def module(self, dotted: str, module: types.ModuleType) -> None: ...


class Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Serves the modules of one program, after everything that is really installed."""

    def __init__(self, program: Served) -> None:
        self.program = program
        self.absent: list[str] = []  # what was asked for and is nowhere, by its first name

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if self.program.has(fullname) or fullname.split(".")[0] in INERT:
            package = self.program.is_package(fullname) or fullname.split(".")[0] in INERT
            return importlib.machinery.ModuleSpec(fullname, self, is_package=package)
        first = fullname.split(".")[0]
        if len(self.absent) < MAX_ABSENT and first not in self.absent:
            self.absent.append(first[:40])
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        if self.program.has(name):
            self.program.module(name, module)
        else:
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


def _attribute(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("tqdm", "trange"):
        return (lambda it=(), *a, **k: it) if name == "tqdm" else range
    return inert
