"""What a grader's author writes above a check: its points, what it needs, whether it is visible.

The module knows nothing of pytest, so that a student's self-check starts fast.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., None])

_ATTRIBUTE = "__attn_check__"


@dataclass(frozen=True)
class Declared:
    """What the decorators of one check say.

    Attributes
    ----------
    points : float
        What a pass is worth.
    needs : tuple of str
        Names of checks of the same exercise (without ``test_``) that must pass first.
    visible : bool
        Shipped to students as a self-check, source and all.
    robustness : str or None
        The code of a "correct, but…" sentence: the check asks for robustness only, so an
        answer that fails nothing else is right in the ordinary case.
    """

    points: float = 0.0
    needs: tuple[str, ...] = ()
    visible: bool = False
    robustness: str | None = None


@dataclass(frozen=True)
class Check:
    """One check of one exercise, ready to run.

    Attributes
    ----------
    exercise, name : str
        ``softmax`` and ``rows_sum_to_one``.
    title : str
        The docstring's first line: what the learner reads.
    declared : Declared
    function : callable
        Takes any of ``student``, ``reference``, ``rng`` by name; returns nothing, raises
        `expect.Unmet` where an expectation is not met.
    fixtures : tuple of str
        The names that it takes.
    """

    exercise: str
    name: str
    title: str
    declared: Declared
    function: Callable[..., None]
    fixtures: tuple[str, ...]


def points_of(checks: Iterable[Check]) -> float:
    """Give the points of checks together; `sum` rounds floats in another way since Python 3.12."""
    return math.fsum(check.declared.points for check in checks)


def _declare(function: Function, **changes: Any) -> Function:
    before = declared(function)
    after = Declared(**{**before.__dict__, **changes})
    setattr(function, _ATTRIBUTE, after)
    return function


def declared(function: Callable[..., None]) -> Declared:
    """Give what the decorators of `function` said."""
    found = getattr(function, _ATTRIBUTE, Declared())
    assert isinstance(found, Declared)
    return found


def points(worth: float) -> Callable[[Function], Function]:
    """Declare what passing this check is worth."""
    return lambda function: _declare(function, points=float(worth))


def needs(*names: str) -> Callable[[Function], Function]:
    """Declare which checks of the same exercise must pass before this one says anything."""
    return lambda function: _declare(function, needs=names)


def visible(function: Function) -> Function:
    """Ship this check to students as a self-check, with its source."""
    return _declare(function, visible=True)


def robustness(code: str) -> Callable[[Function], Function]:
    """Declare that failing only this check means "correct, but…", told by sentence `code`."""
    return lambda function: _declare(function, robustness=code)


FIXTURES = ("student", "reference", "rng")


def check_of(exercise: str, name: str, function: Callable[..., None]) -> Check:
    """Make a `Check` of a decorated function.

    Raises
    ------
    ValueError
        Where the title is missing or the function asks for a fixture that checks do not have.
    """
    title = (inspect.getdoc(function) or "").split("\n", 1)[0].strip()
    if not title:
        raise ValueError(f"{exercise}.{name} has no docstring: its first line is the title")
    wanted = tuple(inspect.signature(function).parameters)
    strange = [each for each in wanted if each not in FIXTURES]
    if strange:
        raise ValueError(f"{exercise}.{name} asks for {strange[0]!r}; checks have {FIXTURES}")
    return Check(exercise, name.removeprefix("test_"), title, declared(function), function, wanted)
