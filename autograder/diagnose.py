"""Diagnosis by replay: the smallest set of known mistakes that gives all of the same answers.

The questions of the run that was judged are put to every known mistake, singles first, then
doubles. A name is given only where each recorded answer is reproduced; what a check saw by itself
(an argument that changed, weights drawn anew) comes from that check. Nothing is looked at before
a check has failed, and no check's verdict is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from autograder.bank import RIGHT, Bank, Chain, Raised, Variant, codes_of
from autograder.check import Check
from autograder.facts import facts, slots_of
from autograder.matching import Target, failure, outcome, tolerance_for
from autograder.student import Step
from autograder.wire import Handle

UNKNOWN = "UNKNOWN"
MOST = 32  # candidate sets kept while parts are put together
# What a check sees by itself, and replayed numbers say nothing about.
STATE = frozenset(
    "SA-REINIT SA-GLOBAL-SEED SA-SEED-IGNORED SA-SEED-UNUSED SA-CLONES SA-SCALE"
    " SA-OWN-WEIGHTS C-MUTATE HM-PRINTS CMP-NEW-OBJ".split()
)
# What can be seen of an answer without knowing how it came to be.
PLAIN = frozenset(
    "C-NONE C-TUPLE C-COUNT C-NOT-ARRAY C-ONE-ARRAY C-NOT-TEXT C-NOT-DICT C-KEY C-NOT-OBJECT C-SWAP"
    " C-SHAPE C-NAN C-RAISED C-TIMEOUT C-DIED C-REFUSED C-NAME C-STUB HM-LINES".split()
)


class Seen(Protocol):
    """What a diagnosis reads of a check's outcome."""

    @property
    def check(self) -> Check: ...
    @property
    def status(self) -> str: ...
    @property
    def code(self) -> str | None: ...
    @property
    def slots(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class Finding:
    """What is said about one exercise of one submission.

    Attributes
    ----------
    codes : tuple of str
        The smallest set, most telling first; ``("UNKNOWN",)`` where no set fits.
    candidates : tuple of tuple of str
        Every smallest set, where several fit; else empty.
    common : str or None
        The sentence that the candidates have in common, where one is declared.
    slots : dict
        What fills the sentences: facts of the student's own answers.
    correct_but : bool
        Only checks of robustness failed: the answer is right in the ordinary case.
    """

    codes: tuple[str, ...]
    candidates: tuple[tuple[str, ...], ...] = ()
    common: str | None = None
    slots: Mapping[str, Any] = field(default_factory=dict)
    correct_but: bool = False

    @property
    def known(self) -> bool:
        """Whether anything more than visible facts is said."""
        return any(code != UNKNOWN and code not in PLAIN for code in self.codes)


@dataclass(frozen=True)
class Question:
    """One question of a trace: a chain's inputs by name, and the recorded answer."""

    given: Mapping[str, Any]
    answer: Any
    check: str
    cache: dict[Any, Any] = field(default_factory=dict)


def questions(
    chain: Chain, trace: Sequence[Step], right: Mapping[str, Any]
) -> list[Question] | None:
    """Give the questions of a trace that a chain can answer.

    Answers that depend on weights which the student's own generator drew are left out.

    Returns
    -------
    list of Question or None
        None where an answer is of a kind that no replay explains (a timeout, a stub).
    """
    asked: list[Question] = []
    objects: dict[int, dict[str, Any]] = {}
    made: dict[int, Step] = {}
    for step in trace:
        answer = outcome(step.reply.value)
        if step.op == "new" and isinstance(answer, Handle):
            objects[answer.number], made[answer.number] = {}, step
        elif step.op == "set" and step.target in objects and answer is None:
            objects[step.target][step.name] = step.args[0]
        elif step.op == "method" and step.target is not None:
            owner = made.get(step.target)
            if owner is None or owner.name != chain.name:
                continue
            given = chain.bind_known((*step.args,), {**step.kwargs, **objects[step.target]})
            if given is None:
                continue
            if answer is NotImplemented:
                return None
            asked.append(Question(given, answer, step.check))
        elif step.op == "call" and step.name == chain.name:
            if answer is NotImplemented:
                return None
            args = [_thawed(each, objects, made, right) for each in step.args]
            if any(each is NotImplemented for each in args):
                continue
            asked.append(Question(chain.bind(args, step.kwargs), answer, step.check))
    return asked


def _thawed(
    value: Any,
    objects: Mapping[int, Mapping[str, Any]],
    made: Mapping[int, Step],
    right: Mapping[str, Any],
) -> Any:
    """Give an argument; an object of the student's as a right one with the same weights."""
    if not isinstance(value, Handle):
        return value
    step = made.get(value.number)
    if step is None or step.name not in right or len(objects[value.number]) < 3:
        return NotImplemented
    thing = right[step.name](*step.args, **step.kwargs)
    for name, weight in objects[value.number].items():
        setattr(thing, name, weight)
    return thing


def explain(
    chain: Chain, asked: Sequence[Question], *, doubles: bool = True
) -> list[tuple[Variant, ...]] | None:
    """Find the smallest sets that reproduce every answer, or every part of the answers.

    Returns
    -------
    list of tuple of Variant or None
        One entry where whole answers are explained: ``(RIGHT,)`` where the right solution gives
        them, several where several smallest sets fit; else one entry a part. None where a part
        has no explanation among singles and doubles.
    """
    whole = next((name for name in chain.views if name not in chain.parts), "")
    found = _explain_part(chain, asked, whole, doubles)
    if found or not chain.parts:
        return [found] if found else None
    each_part = [_explain_part(chain, asked, part, doubles=False) for part in chain.parts]
    return None if any(not part for part in each_part) else each_part


def _as_it_is(answer: Any, _: Mapping[str, Any]) -> Any:
    return answer


def _explain_part(
    chain: Chain, asked: Sequence[Question], view: str, doubles: bool
) -> tuple[Variant, ...]:
    see = chain.views.get(view) or _as_it_is
    probes: list[tuple[Question, Target, dict[int, bool]]] = [
        (each, Target(see(each.answer, each.given), tolerance_for(each.given.values())), {})
        for each in asked
    ]
    probes.sort(key=lambda probe: probe[1].telling)
    last = list(chain.stages)[-1]
    stage, place = chain.shown or ("", 0)

    def fits(variant: Variant) -> bool:
        early = stage and all(last not in mistake.places for mistake in variant)
        for question, target, seen in probes:
            if early and target.kind == "items" and len(target.parts) > place:
                key = chain.key(variant, stage)
                if key not in seen:
                    value = chain.run(variant, question.given, question.cache, stage)
                    seen[key] = type(value) is not Raised and target.parts[place].matches(value)
                if not seen[key]:
                    return False
            value = chain.run(variant, question.given, question.cache)
            if type(value) is Raised:
                value = failure(value.kind)
            if not target.matches(see(value, question.given)):
                return False
        return True

    with np.errstate(all="ignore"):
        if fits(RIGHT):
            return (RIGHT,)
        plain = [each for each in chain.singles if not next(iter(each)).state]
        single = tuple(each for each in plain if fits(each))
        if single or not doubles:
            return single
        return tuple(each for each in chain.doubles if fits(each))


def diagnose(
    bank: Bank,
    trace: Sequence[Step],
    right: Mapping[str, Any],
    outcomes: Iterable[Seen],
) -> Finding | None:
    """Say what the answers of one exercise show.

    Parameters
    ----------
    bank : Bank
    trace : sequence of Step
        What was asked in the run that was judged, this exercise's part of it.
    right : mapping
        The reference's names, of all exercises.
    outcomes : iterable
        Of every check of the exercise: a `grade.Outcome`.

    Returns
    -------
    Finding or None
        None where no check failed.
    """
    failed = [each for each in outcomes if each.status not in ("passed", "skipped")]
    if not failed:
        return None
    parts: list[tuple[tuple[str, ...], ...]] = []
    whole = True
    for chain in bank.chains.values():
        asked = questions(chain, trace, right)
        explained = explain(chain, asked) if asked else ([] if asked is not None else None)
        whole = whole and explained is not None
        parts += [tuple(dict.fromkeys(map(codes_of, part))) for part in explained or ()]
    return conclude(bank.common, smallest(parts), whole, failed, facts(trace, failed, right))


def smallest(parts: Sequence[tuple[tuple[str, ...], ...]]) -> list[tuple[str, ...]]:
    """Give the smallest sets of codes that explain every part, each part having candidates."""
    sets: list[set[str]] = []
    for part in parts:
        if () in part:  # the right solution explains it
            continue
        grown = [old | set(new) for old in sets or [set()] for new in part]
        least = min(map(len, grown))
        sets = []
        for each in grown:
            if len(each) <= least + 1 and each not in sets:
                sets.append(each)
        sets = sets[:MOST]
    least = min(map(len, sets), default=0)
    return [tuple(sorted(each)) for each in sets if len(each) == least]


def conclude(
    common: Any,
    sets: Sequence[tuple[str, ...]],
    whole: bool,
    failed: Sequence[Seen],
    seen: Mapping[str, Any],
) -> Finding:
    """Put together what replay found and what the checks saw.

    Parameters
    ----------
    common : callable
        Codes to the sentence that they have in common, or None.
    sets : sequence of tuple of str
        The smallest sets of codes that fit; empty where the right solution does.
    whole : bool
        Whether every part was explained.
    failed : sequence
        The outcomes that did not pass.
    seen : mapping
        Facts of the student's own answers.
    """
    first = failed[0]
    but = all(each.check.declared.robustness for each in failed)
    states = tuple(dict.fromkeys(each.code for each in failed if each.code in STATE))
    slots = slots_of(first.slots, seen)
    codes = sets[0] if sets else ()
    doubtful = tuple(sets) if len(sets) > 1 else ()
    together = common({code for one in doubtful for code in one}) if doubtful else None
    if codes == ("C-NONE",) and "HM-PRINTS" in states:
        codes = ()  # printing instead of returning is the story that is told
    if codes:
        codes += tuple(each for each in states if each not in codes)
        if not whole:
            codes += (UNKNOWN,)
        return Finding(codes, doubtful, together, slots, but)
    if states:
        return Finding(states, slots=slots, correct_but=but)
    if whole and first.code == "C-CLOSED":
        return Finding(("MASK-LEAKY",), slots=slots)  # right to the tolerance, but not closed
    if but and whole:
        return Finding((str(first.check.declared.robustness),), slots=slots, correct_but=True)
    if whole and first.code and first.code not in PLAIN:
        # The numbers are right; what the check saw beside them is all there is to say.
        return Finding((first.code,), slots=slots, correct_but=but)
    if first.code in PLAIN:
        return Finding((first.code,), slots=slots, correct_but=but)
    return Finding((UNKNOWN,), slots=slots, correct_but=but)
