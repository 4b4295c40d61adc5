"""What a submission's files define, and running just as much of them as an exercise needs.

Files become units of code (`source`), units are read as syntax before anything runs: which file
holds which graded name, and whether it is still a stub. Then ``.py`` files are modules that any
file may import by name, and a notebook's cells run in order, where a failing cell does not stop
the later ones. With `given` implementations, those win over the student's own.

This runs inside the worker: standard library only, nothing of graders or solutions.

Rules
-----
- An attempted definition beats a stub; between two attempted the exercise-named ``.py`` wins,
  however it binds the name.
- Syntax says where to look; what is bound once the code has run is what counts.
- Names of the standard library and of NumPy are never served from a submission.
- ``from .softmax import softmax`` means ``from softmax import softmax``, and so does an import
  through folders, such as ``from exercises.softmax import softmax``; never through `solutions`.
- A module of an exercise that has no file, or only a stub, is made of what was chosen elsewhere.
- What a file defined before it failed can be used; what it lacks has the failure as its reason.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder import choice, onward, untouched
from autograder.imports import Ways, inert
from autograder.syntax import File, Unit

OURS = ("numpy", "autograder")  # names beside those of the standard library that are taken


class Skipped(ImportError):
    """A unit that hung or ended the process before, and is left out now."""


@dataclass
class Program:
    """A submission in this process: what it defines, and its namespaces as they fill.

    Attributes
    ----------
    exercises : dict
        Exercise to its graded names, in course order.
    given : dict
        Module name to source text of implementations that win over the student's own.
    skip : set of str
        Places of units that are left out.
    announce : callable
        Told each unit's place before it runs.
    asked : str or None
        The exercise whose function answers a question now; None while files are run.
    left_out : list of (str, int)
        Place and line of each statement that asked for what is not there.
    makers : dict
        An object that stays in this process, by its place in memory, to the exercise it is from.
    """

    files: list[File]
    exercises: dict[str, tuple[str, ...]]
    given: dict[str, str]
    skip: frozenset[str]
    announce: Callable[[str], None]
    notices: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    chosen: dict[str, File] = field(default_factory=dict)
    status: dict[str, str] = field(default_factory=dict)
    asked: str | None = None
    makers: dict[int, str | None] = field(default_factory=dict)
    left_out: list[tuple[str, int]] = field(default_factory=list)
    _given_spaces: dict[str, types.ModuleType] = field(default_factory=dict)
    _owed: dict[str, list[tuple[str, dict[str, Any]]]] = field(default_factory=dict)
    _led_up_to: set[str] = field(default_factory=set)
    _under_way: list[str] = field(default_factory=list)  # files that are running now
    _waiting: list[tuple[Unit, dict[str, Any]]] = field(default_factory=list)
    _twice: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.owner = {name: ex for ex, names in self.exercises.items() for name in names}
        self.given_names = {n: ex for n, ex in self.owner.items() if ex in self.given}
        for name, exercise in self.owner.items():
            self._choose(name, exercise)
        for (counts, other), names in self._twice.items():
            slots = {"name": ", ".join(names), "counts": counts, "other": other}
            self.notices.append(("defined-twice", slots))
        through = (dotted for file in self.files for dotted in file.through)
        self.ways = Ways(through, self.exercises, self.has)
        for file in self.files:
            if file.module in sys.stdlib_module_names or file.module in OURS:
                self.notices.append(("shadows", {"file": file.name}))

    def _choose(self, name: str, exercise: str) -> None:
        found = choice.of(name, exercise, self.files)
        if found is None:
            return
        file, kind, others = found
        self.chosen[name] = file
        self.status[name] = "stub" if kind == "stub" else "attempted"
        if kind == "attempted" and others:
            self._twice.setdefault((file.name, others[0].name), []).append(name)

    # -- running ---------------------------------------------------------------------------

    def prepare(self, exercise: str) -> None:
        """Run what the exercise's names need, once.

        In a notebook that is what the exercises before it need too, wherever their cells stand:
        so an exercise finds the same there, whether it is asked first or after the others.
        """
        self.asked = None
        first = exercise not in self._led_up_to
        if first:
            self._led_up_to.add(exercise)
            self._lead_up_to(exercise, self._chosen_for(exercise).values())
        for name in self.exercises[exercise]:
            if name in self.given_names:
                self._given_space(exercise)
            elif name in self.chosen:
                own = self._unseen_in(exercise, name)
                if own is not None:  # it may bind the name all the same, and then it counts
                    self._run(own, None)
                self._run(self.chosen[name], name)
            else:  # perhaps bound in a way that syntax does not show
                for file in self.files:
                    if file.module == exercise:
                        self._run(file, None)
                    elif not file.module:
                        self._run_until(file, name)
        if first:  # its file may have imported from a notebook
            self._lead_up_to(exercise, [file for file in self.files if file.done])

    def _unseen_in(self, exercise: str, name: str) -> File | None:
        """Give an exercise's own file where syntax shows a name in another file alone."""
        own = self._file(exercise)
        if own is None or own is self.chosen.get(name):
            return None
        return None if any(name in unit.defines for unit in own.units) else own

    def _lead_up_to(self, exercise: str, files: Iterable[File]) -> None:
        notebooks = [file for file in files if not file.module]
        for earlier in self.exercises if notebooks else ():
            if earlier == exercise:
                break
            for name, file in self._chosen_for(earlier).items():
                if file in notebooks:
                    self._run(file, name)

    def _chosen_for(self, exercise: str) -> dict[str, File]:
        """Give the files that count for an exercise's names, given ones aside."""
        names = self.exercises[exercise]
        return {
            name: self.chosen[name]
            for name in names
            if name in self.chosen and name not in self.given_names
        }

    def lookup(self, name: str) -> Any:
        """Give the object of that name.

        Raises
        ------
        KeyError
            If nothing defines it.
        BaseException
            What stopped the unit that would have.
        """
        exercise = self.owner.get(name, "")
        if name in self.given_names:
            return vars(self._given_space(exercise))[name]
        files = [self.chosen[name]] if name in self.chosen else self.files
        for file in files:
            if file.space is not None and name in vars(file.space):
                found = vars(file.space)[name]
                # ``import softmax`` binds a module, which nobody asks.
                if name in self.chosen or not isinstance(found, types.ModuleType):
                    return found
        for file in files:
            for unit in file.units:
                if unit.failure is not None and (name in unit.defines or file.module == exercise):
                    raise unit.failure
        raise KeyError(name)

    def is_there(self, name: str) -> bool:
        """Say whether a name is bound by now, in whichever way, to more than its stub."""
        try:
            value = self.lookup(name)
        except BaseException:  # what stopped its file, SystemExit too: said when it is asked for
            return False
        file = self.chosen.get(name)
        return file is None or not untouched.is_stub(value, name, file.units)

    def _run_until(self, file: File, name: str) -> None:
        """Run a notebook's cells one by one, until one of them has bound a name."""
        while file.done < len(file.units) and not file.running:
            if file.space is not None and name in vars(file.space):
                return
            self._cells(file, file.done + 1)

    def _run(self, file: File, name: str | None) -> None:
        if file.module:
            if file.module not in sys.modules and file.space is None:
                self.execute(file)
            return
        if name is None:
            self._cells(file, len(file.units))
        elif file.running:
            self._early(file, name)
        else:
            self._cells(file, choice.last_cell(file, name, self.owner))

    def _early(self, file: File, name: str) -> None:
        """Run the cells of a name before their turn.

        The cell that runs now has imported a file that asks for a later cell's name. Whichever
        of the two is asked first, both are found: see `_again`.
        """
        space = file.space
        assert space is not None
        for n in range(file.done, len(file.units)):
            unit = file.units[n]
            waits = n not in file.early and unit.failure is None
            if waits and unit.defines.get(name) == "attempted":
                file.early.add(n)
                self._unit(unit, vars(space))
                if unit.failure is not None:  # its turn is still to come
                    file.early.discard(n)
                    unit.failure = None

    def _again(self) -> None:
        """Run once more the cells that asked for a file in the middle of its own run."""
        waiting, self._waiting = self._waiting, []
        for unit, space in waiting:
            unit.failure = None
            self._unit(unit, space)

    def _cells(self, file: File, last: int) -> None:
        if file.running:
            return
        if file.space is None:
            # A block under `if __name__ == "__main__"` is no part of the answer, as in a file.
            file.space = types.ModuleType("__notebook__")
            vars(file.space).update(display=inert, get_ipython=lambda: inert)
            sys.modules["__notebook__"] = file.space
            self._give(file.space)
        file.running = True
        try:
            while file.done < last:
                unit = file.units[file.done]
                file.done += 1
                if file.done - 1 not in file.early:
                    self._unit(unit, vars(file.space))
                if isinstance(unit.failure, ImportError) and unit.failure.name in self._under_way:
                    self._waiting.append((unit, vars(file.space)))
        finally:
            file.running = False

    def _unit(self, unit: Unit, space: dict[str, Any]) -> None:
        if unit.failure is not None:
            return
        if unit.place in self.skip:
            unit.failure = Skipped(unit.place)
            return
        before = {name: space[name] for name in self.owner if name in space}
        self.announce(unit.place)
        unit.failure = onward.run(unit, space, self.owner, self.left_out)
        for name, kind in unit.defines.items():
            if kind == "stub" and name in before:
                space[name] = before[name]  # an untouched copy below an attempted definition
        for name in self.given_names.keys() & space.keys():
            if isinstance(space[name], types.ModuleType):
                continue  # ``import softmax`` binds the module, which holds the given one
            self._put(name, space)

    def execute(self, file: File, module: types.ModuleType | None = None) -> types.ModuleType:
        """Run a ``.py`` file as a module; what stopped it stays in its unit."""
        if module is None:
            module = types.ModuleType(file.module)
            sys.modules[file.module] = module
        file.space = module
        module.__file__ = file.name
        self._under_way.append(file.module)
        if file.module not in self.exercises:
            self._give(module)
        for unit in file.units:
            self._unit(unit, vars(module))
        self._overlay(file.module, module)
        self._under_way.remove(file.module)
        for exercise in tuple(self._owed):
            self._given(exercise)
        if not self._under_way:
            self._again()
        return module

    def _give(self, space: types.ModuleType) -> None:
        """Put the given implementations where all exercises share one namespace.

        There a function that is absent is a bare name, which nothing imports.
        """
        for name in self.given_names:
            self._put(name, vars(space))

    def _put(self, name: str, space: dict[str, Any]) -> None:
        """Put a given implementation into a namespace, now or once it is there.

        What a given one imports may stand in the very file that it is put into.
        """
        exercise = self.given_names[name]
        given = self._given(exercise)
        if name in given:
            space[name] = given[name]
        else:
            self._owed.setdefault(exercise, []).append((name, space))

    def _given(self, exercise: str) -> dict[str, Any]:
        """Give what a given implementation defines: nothing yet where it waits for a file."""
        try:
            return vars(self._given_space(exercise))
        except ImportError:
            if not self._under_way:
                raise
            return {}

    def _overlay(self, exercise: str, module: types.ModuleType) -> None:
        """Put into an exercise's module what was chosen for it elsewhere."""
        for name in self.exercises.get(exercise, ()):
            own = self._unseen_in(exercise, name)
            if own is not None and callable(vars(module).get(name)):
                self.chosen[name] = own
            file = self.chosen.get(name)
            if file is None:
                if name not in vars(module) and self.is_there(name):
                    vars(module)[name] = self.lookup(name)
            elif file.space is not module:
                self._run(file, name)
                if file.space is not None and name in vars(file.space):
                    vars(module)[name] = vars(file.space)[name]

    def _given_space(self, exercise: str) -> types.ModuleType:
        if exercise not in self._given_spaces:
            module = types.ModuleType(exercise)
            self._given_spaces[exercise] = sys.modules[exercise] = module
            try:
                exec(compile(self.given[exercise], f"<{exercise}>", "exec"), vars(module))
            except ImportError:  # perhaps from a file that is running now: tried again after it
                del self._given_spaces[exercise], sys.modules[exercise]
                self._forget_empty()
                raise
            for name, space in self._owed.pop(exercise, ()):
                space[name] = vars(module)[name]
        return self._given_spaces[exercise]

    def _forget_empty(self) -> None:
        """Let modules that were asked for before anything was there be made anew."""
        for exercise, names in self.exercises.items():
            module = sys.modules.get(exercise)
            if module and self._file(exercise) is None and not vars(module).keys() & set(names):
                del sys.modules[exercise]

    # -- imports ---------------------------------------------------------------------------

    def module(self, dotted: str, module: types.ModuleType) -> None:
        """Fill the module of that name, if this submission has it."""
        if dotted in self.given:
            vars(module).update(vars(self._given_space(dotted)))
            return
        file = self._file(dotted)
        if file is not None:
            if file.space is None:
                self.execute(file, module)
            # As where it ran before it is imported: what it defined can be used.
            if not vars(module).keys() & self.exercises.get(dotted, ()):
                for unit in file.units:
                    if unit.failure is not None:
                        raise unit.failure
        elif dotted in self.exercises and self.has(dotted):
            self._overlay(dotted, module)

    def has(self, dotted: str) -> bool:
        """Say whether the submission can serve a module of that name."""
        return (
            dotted in self.given
            or self._file(dotted) is not None
            or self.is_package(dotted)
            or any(name in self.chosen for name in self.exercises.get(dotted, ()))
            or any(self.is_there(name) for name in self.exercises.get(dotted, ()))
        )

    def is_package(self, dotted: str) -> bool:
        """Say whether it is a folder of the submission."""
        return any(file.module.startswith(dotted + ".") for file in self.files)

    def _file(self, dotted: str) -> File | None:
        return next((file for file in self.files if file.module and file.module == dotted), None)
