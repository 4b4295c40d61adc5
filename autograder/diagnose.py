"""Diagnosis by replay: the smallest set of known mistakes that gives all of the same answers.

The questions of the run that was judged are put to every known mistake, singles first, then
doubles. A name is given only where each recorded answer is reproduced; what a check saw by itself
(an argument that changed, weights drawn anew) comes from that check. Nothing is looked at before
a check has failed, and no check's verdict is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.asked import Question, Stand, Weights, questions
from autograder.bank import Bank
from autograder.chain import RIGHT, Chain, Mistake, Raised, Variant, codes_of
from autograder.facts import facts
from autograder.finding import PLAIN, UNKNOWN, Finding, Seen, conclude, settled, smallest, unmet
from autograder.matching import Target, failure, tolerance_for
from autograder.student import Step

__all__ = ["PLAIN", "UNKNOWN", "Finding", "diagnose", "explain", "right_object"]


def right_object(right: Mapping[str, Any]) -> Stand:
    """Give what stands in for a student's object: a right one with the same weights."""

    def stand_in(step: Step, weights: Weights) -> Any:
        if step.name not in right:
            return NotImplemented
        thing = right[step.name](*step.args, **step.kwargs)
        for name, weight in weights.items():
            setattr(thing, name, weight)
        return thing

    return stand_in


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


def _alone(mistake: Mistake) -> Variant:
    return frozenset({mistake})


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
        found = tuple(each for each in plain if fits(each))
        if not found and doubles:
            found = tuple(each for each in chain.doubles if fits(each))
        if not found and chain.parts and view not in chain.parts:
            return ()  # each part by itself, before anything is a consequence
        return found + tuple(each for each in map(_alone, chain.after) if fits(each))


@np.errstate(all="ignore")  # a learner's numbers may overflow anything
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
    failed = unmet(outcomes)
    if not failed:
        return None
    parts: list[tuple[tuple[str, ...], ...]] = []
    whole, any_asked = True, False
    for chain in bank.chains.values():
        asked = questions(chain, trace, right_object(right))
        if asked is None:
            whole = False
        elif asked:
            any_asked = True
            explained = explain(chain, asked)
            whole = whole and explained is not None
            parts += [tuple(dict.fromkeys(map(codes_of, part))) for part in explained or ()]
    seen = facts(trace, failed, right)
    kept = settled(parts)
    whole = whole and len(kept) == len(parts)
    sets = [bank.in_order(each) for each in smallest(kept)]
    return conclude(bank.common, sets, whole and any_asked, failed, seen)
