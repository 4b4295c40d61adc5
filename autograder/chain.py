"""Known mistakes, as the smallest code a learner would truly write.

An exercise's function is written as a `Chain` of stages, each named after what it makes. A stage
has the right body and any number of wrong ones; one wrong body is a single mistake, two wrong
bodies of different stages a double::

    area = Chain("area", "width", "height")

    @area.stage
    def product(width, height):
        return width * height

    @product.wrong("AREA-SUM")
    def added(width, height):
        return width + height

A stage's parameters are the function's inputs and earlier stages, by name (a stage that makes a
dict can give each of its values a name of its own). The last stage's value is the answer. This
module runs such chains; it does not know how a diagnosis compares answers, and nothing of it goes
to students.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from autograder.asked import Signature
from autograder.finding import AFTER
from autograder.student import builtin_name

Body: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Mistake:
    """One misconception: a code, and the wrong bodies that it puts into stages.

    Attributes
    ----------
    code : str
        The sentence's code. Several mistakes may share one: forms of the same misconception.
    name : str
        The wrong body's own name.
    places : mapping of str to callable
        Stage name to wrong body; empty for a `whole`.
    whole : object or None
        What stands under the chain's public name instead of the chain.
    state : bool
        Seen only by the check itself (what a call changed, drew or printed): replaying numbers
        says nothing about it.
    """

    code: str
    name: str
    places: Mapping[str, Body] = field(default_factory=dict)
    whole: Any = None
    state: bool = False

    def __repr__(self) -> str:
        return f"{self.code}:{self.name}"


Variant: TypeAlias = frozenset[Mistake]
RIGHT: Variant = frozenset()
FORMS_IN_PAIRS = 2
ABSENT = "no such key"  # what a part of a dict is that does not hold it: not None


def codes_of(variant: Iterable[Mistake]) -> tuple[str, ...]:
    """Give the codes of a variant's mistakes, sorted, each once."""
    return tuple(sorted({mistake.code for mistake in variant}))


@dataclass(frozen=True)
class Raised:
    """A stage's outcome where its body raised: the exception's class name is the answer."""

    kind: str
    error: Exception = field(compare=False, repr=False)


class Stage:
    """One step of a chain: the right body, named after what it makes."""

    def __init__(self, chain: Chain, body: Body, about: str = "") -> None:
        self.chain, self.body, self.name, self.about = chain, body, body.__name__, about

    def wrong(self, code: str, *, name: str = "", **also: Body) -> Callable[[Body], Body]:
        """Declare a wrong body of this stage, and of other stages by keyword, under `code`."""

        def declare(body: Body) -> Body:
            places = {self.name: body, **also}
            self.chain.mistakes.append(Mistake(code, name or body.__name__, places))
            return body

        return declare

    def follows(self, code: str, *, name: str) -> Callable[[Body], Body]:
        """Declare what becomes of this stage where an earlier function has the mistake `code`.

        It explains an answer only beside that function's own: alone it is no known mistake.
        """

        def declare(body: Body) -> Body:
            self.chain.after.append(Mistake(code + AFTER, name, {self.name: body}))
            return body

        return declare


Step: TypeAlias = tuple[str, Body, tuple[str, ...], int]


class Chain(Signature):
    """A function of an exercise as stages, with its known mistakes."""

    def __init__(self, name: str, *inputs: str, **defaults: Any) -> None:
        super().__init__(name, *inputs, **defaults)
        self.stages: dict[str, Stage] = {}
        self.mistakes: list[Mistake] = []
        self.after: list[Mistake] = []  # what follows from mistakes in earlier functions
        self.equal: list[tuple[frozenset[str], str]] = []
        self.views: dict[str, Body] = {}
        self.parts: list[str] = []
        self.unpacks: dict[str, tuple[str, ...]] = {}
        self.pairs: frozenset[str] | None = None
        self.shown: tuple[str, int] | None = None
        self._borrowed: dict[Chain, set[str]] = {}
        self._build: Callable[[Body], Any] | None = None
        self._keys: dict[tuple[Any, ...], int] = {}
        self._stage_keys: dict[tuple[Variant, str], int] = {}
        self._paths: dict[Variant, tuple[Step, ...]] = {}

    def stage(self, body: Body) -> Stage:
        """Add a stage at the end; `body` is its right version and its name."""
        self.stages[body.__name__] = stage = Stage(self, body)
        return stage

    def gives(self, stage: str, *names: str) -> None:
        """Say that `stage` makes a dict, whose values later stages take by these names."""
        self.unpacks[stage] = names

    def borrow(
        self,
        other: Chain,
        *names: str,
        only: Iterable[str] | None = None,
        without: Iterable[str] = (),
    ) -> None:
        """Add stages of another chain, with those of its mistakes that now lie within them.

        Parameters
        ----------
        other : Chain
        *names : str
            The stages, in order.
        only : iterable of str, optional
            The codes to take; all where absent.
        without : iterable of str
            Names of mistakes, not codes, to leave out.
        """
        for name in names:
            self.stages[name] = Stage(self, other.stages[name].body)
            self._borrowed.setdefault(other, set()).add(name)
        inside = self._borrowed[other]
        wanted = None if only is None else set(only)
        self.mistakes += [
            mistake
            for mistake in other.mistakes
            if set(mistake.places) & set(names)
            and set(mistake.places) <= inside
            and (wanted is None or mistake.code in wanted)
            and mistake.name not in set(without)
        ]
        self.after += [each for each in other.after if set(each.places) <= set(names)]

    def replaced(self, code: str, *, state: bool = False) -> Callable[[Any], Any]:
        """Declare a whole wrong function or class under `code`."""

        def declare(whole: Any) -> Any:
            self.mistakes.append(Mistake(code, whole.__name__, {}, whole, state))
            return whole

        return declare

    def defined_by(self, build: Callable[[Body], Any]) -> Callable[[Body], Any]:
        """Say how the public object is made of the chain, where it is not the function itself."""
        self._build = build
        return build

    def view(self, body: Body) -> Body:
        """Compare answers through ``body(answer, inputs)``: the part of them that counts."""
        self.views[body.__name__] = body
        return body

    def part(self, key: str) -> None:
        """Explain the value under `key` of a dict by itself: it is an answer of its own."""
        self.parts.append(key)
        self.views[key] = lambda answer, inputs: (
            answer.get(key, ABSENT) if isinstance(answer, dict) else answer
        )

    def in_pairs(self, codes: str) -> None:
        """Name the common mistakes, by code: only these are combined to doubles (default: all)."""
        self.pairs = frozenset(codes.split())

    def shows(self, stage: str, place: int) -> None:
        """Say that `stage` stands at `place` of the answer, unless the last stage is changed."""
        self.shown = (stage, place)

    def same_numbers(self, *codes: str, common: str) -> None:
        """Declare codes that no output tells apart, and the sentence that they have in common."""
        self.equal.append((frozenset(codes), common))

    def key(self, variant: Variant, stage: str) -> int:
        """Give the key of one stage's value: equal keys, equal values."""
        found = self._stage_keys.get((variant, stage))
        if found is None:
            found = next(key for name, _, _, key in self.path(variant) if name == stage)
            self._stage_keys[variant, stage] = found
        return found

    def path(self, variant: Variant) -> tuple[Step, ...]:
        """Give the bodies a variant runs, each with a key: equal keys, equal values."""
        found = self._paths.get(variant)
        if found is None:
            steps: list[Step] = []
            keys: dict[str, int] = {}
            for name, stage in self.stages.items():
                body = next((m.places[name] for m in variant if name in m.places), stage.body)
                wanted = _parameters(body)
                made = (name, body, *(keys[each] for each in wanted if each in keys))
                key = self._keys.setdefault(made, len(self._keys))
                keys[name] = key
                for each in self.unpacks.get(name, ()):
                    keys[each] = key
                steps.append((name, body, wanted, key))
            found = self._paths[variant] = tuple(steps)
        return found

    def run(
        self,
        variant: Variant,
        given: Mapping[str, Any],
        cache: dict[Any, Any],
        until: str = "",
    ) -> Any:
        """Answer as a variant would: a value, or `Raised`. `cache` holds one input's stages.

        With `until`, the value of that stage in place of the answer.
        """
        values = dict(given)
        value: Any = None
        for name, body, parameters, key in self.path(variant):
            if key in cache:
                value = cache[key]
            else:
                try:
                    value = body(*[values[each] for each in parameters])
                except Exception as error:  # a learner's code may raise anything: it is the answer
                    value = Raised(builtin_name(error), error)
                cache[key] = value
            if type(value) is Raised or name == until:
                return value
            values[name] = value
            if name in self.unpacks:
                values.update(value)
        return value

    def public(self, variant: Variant) -> Any:
        """Give what stands under the public name when a learner made these mistakes."""
        for mistake in variant:
            if mistake.whole is not None:
                return mistake.whole

        def function(*args: Any, **kwargs: Any) -> Any:
            value = self.run(variant, self.bind(args, kwargs), {})
            if isinstance(value, Raised):
                raise value.error
            return value

        function.__name__ = self.name
        return self._build(function) if self._build else function

    @property
    def codes(self) -> frozenset[str]:
        """Every code of the chain."""
        return frozenset(mistake.code for mistake in self.mistakes)

    @cached_property
    def singles(self) -> tuple[Variant, ...]:
        """Each mistake alone."""
        return tuple(frozenset({mistake}) for mistake in self.mistakes)

    @cached_property
    def doubles(self) -> tuple[Variant, ...]:
        """Each two common mistakes of different codes that touch different stages.

        Of several forms of one code in one stage, the first ones.
        """
        common: list[Mistake] = []
        forms: Counter[tuple[str, frozenset[str]]] = Counter()
        for mistake in self.mistakes:
            if mistake.whole is not None or mistake.state:
                continue
            if self.pairs is not None and mistake.code not in self.pairs:
                continue
            form = (mistake.code, frozenset(mistake.places))
            forms[form] += 1
            if forms[form] <= FORMS_IN_PAIRS:
                common.append(mistake)
        return tuple(
            frozenset({one, two})
            for one, two in itertools.combinations(common, 2)
            if one.code != two.code and not set(one.places) & set(two.places)
        )


def _parameters(body: Body) -> tuple[str, ...]:
    code = body.__code__
    return code.co_varnames[: code.co_argcount]
