"""Proofs about one exercise's grader: what it lets through, and whether what it names is true.

Known wrong code is judged and diagnosed as a student's would be, in this process: it is the kit's
own. What the proofs come to for a whole kit, and how that reads, is not known here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.asked import Question, questions
from autograder.bank import Bank
from autograder.chain import Chain, Raised, Variant, codes_of
from autograder.check import Check
from autograder.diagnose import diagnose, right_object
from autograder.finding import PLAIN, UNKNOWN, Finding
from autograder.grade import Graders, Outcome, run_checks, seeded
from autograder.matching import Target, failure, tolerance_for
from autograder.student import LocalStudent, Step

TRIPLES = 24  # of each function
SEED = 20_170_612


@dataclass
class Tally:
    """What was counted in one exercise, and a line for each thing that does not hold."""

    singles: int = 0
    doubles: int = 0
    cancelling: int = 0
    codes: int = 0
    alone: int = 0
    grouped: int = 0
    pairs: int = 0
    triples: int = 0
    unknown: int = 0
    alike: int = 0
    broken: dict[str, list[str]] = field(default_factory=dict)

    def miss(self, claim: str, line: str) -> None:
        """Note something that does not hold."""
        self.broken.setdefault(claim, []).append(line)


def prove_exercise(graders: Graders, bank: Bank) -> Tally:
    """Judge and diagnose all known mistakes of one exercise, and some triples of them."""
    tally = Tally(codes=len(bank.codes))
    judged = _Judged(graders, bank)
    for chain in bank.chains.values():
        asked = judged.all_questions(chain)
        for variant in chain.singles:
            tally.singles += 1
            _single(judged, chain, variant, tally)
        for variant in chain.doubles:
            tally.doubles += 1
            _double(judged, chain, variant, asked, tally)
        for variant in _triples(chain):
            tally.triples += 1
            _triple(judged, chain, variant, asked, tally)
        _separable(bank, chain, asked, tally)
    return tally


@dataclass
class _Judged:
    """Judges and diagnoses variants of one exercise."""

    graders: Graders
    bank: Bank

    def __post_init__(self) -> None:
        self.right: Mapping[str, Any] = self.graders.everything
        self.checks: tuple[Check, ...] = self.graders.checks[self.bank.exercise]

    def run(self, chain: Chain, variant: Variant, name: str) -> tuple[list[Outcome], list[Step]]:
        names = self.bank.namespace(chain, variant, self.right)
        student = LocalStudent(names)
        rng_for = seeded(b"verify", name)
        outcomes = run_checks(self.checks, student, self.graders.solutions, rng_for)
        return outcomes, student.trace

    def finding(self, chain: Chain, variant: Variant) -> Finding | None:
        outcomes, trace = self.run(chain, variant, repr(sorted(map(repr, variant))))
        return diagnose(self.bank, trace, self.right, outcomes)

    def all_questions(self, chain: Chain) -> list[Question]:
        _, trace = self.run(chain, frozenset(), "all")
        return questions(chain, trace, right_object(self.right)) or []


def _sets(finding: Finding) -> list[set[str]]:
    return [set(each) for each in finding.candidates or (finding.codes,)]


def _single(judged: _Judged, chain: Chain, variant: Variant, tally: Tally) -> None:
    [mistake] = variant
    found = judged.finding(chain, variant)
    if found is None:
        tally.miss("caught", f"{chain.name}: {mistake!r} gets full marks")
    elif any(each.state for each in variant):
        tally.alone += 1
        if mistake.code not in found.codes:
            tally.miss("named", f"{chain.name}: {mistake!r} is named {', '.join(found.codes)}")
    elif not found.candidates:
        tally.alone += 1
        if found.codes != (mistake.code,):
            tally.miss("named", f"{chain.name}: {mistake!r} is named {', '.join(found.codes)}")
    else:
        tally.grouped += 1
        rivals = {code for each in found.candidates for code in each}
        if mistake.code not in rivals or judged.bank.common(rivals) is None:
            fits = " or ".join("+".join(each) for each in found.candidates)
            tally.miss("named", f"{chain.name}: {mistake!r} could be {fits}")


def _double(
    judged: _Judged, chain: Chain, variant: Variant, asked: list[Question], tally: Tally
) -> None:
    found = judged.finding(chain, variant)
    if found is None:
        if _answers_alike(chain, variant, frozenset(), asked):
            tally.cancelling += 1
        else:
            tally.miss("caught", f"{chain.name}: {sorted(map(repr, variant))} gets full marks")
        return
    true = set(codes_of(variant))
    if not (any(each & true for each in _sets(found)) or _equals(chain, found, variant, asked)):
        tally.miss("doubles", f"{chain.name}: {sorted(map(repr, variant))} is named {found.codes}")


def _equals(chain: Chain, found: Finding, variant: Variant, asked: list[Question]) -> bool:
    """Whether the named set, though another one, gives the same numbers in all probes there are."""
    named = [each for each in chain.singles + chain.doubles if codes_of(each) == found.codes]
    return any(_answers_alike(chain, each, variant, asked) for each in named)


def _answers_alike(chain: Chain, one: Variant, other: Variant, asked: list[Question]) -> bool:
    return all(
        target.matches(answer)
        for target, answer in zip(
            map(_target, asked, _answers(chain, one, asked)),
            _answers(chain, other, asked),
            strict=True,
        )
    )


def _target(question: Question, answer: Any) -> Target:
    return Target(answer, tolerance_for(question.given.values()))


def _answers(chain: Chain, variant: Variant, asked: list[Question]) -> Iterator[Any]:
    see = next((view for name, view in chain.views.items() if name not in chain.parts), None)
    for question in asked:
        with np.errstate(all="ignore"):
            value = chain.run(variant, question.given, question.cache)
        value = failure(value.kind) if isinstance(value, Raised) else value
        yield see(value, question.given) if see else value


def _separable(bank: Bank, chain: Chain, asked: list[Question], tally: Tally) -> None:
    """Compare every two codes of a function, each by its first form."""
    known = [each for each in chain.singles if not any(m.state or m.whole for m in each)]
    answers = [list(_answers(chain, each, asked)) for each in known]
    targets = [[_target(q, a) for q, a in zip(asked, each, strict=True)] for each in answers]
    for at, one in enumerate(known):
        for place in range(at + 1, len(known)):
            codes = codes_of(one | known[place])
            if len(codes) < 2:
                continue
            tally.pairs += 1
            alike = all(t.matches(a) for t, a in zip(targets[at], answers[place], strict=True))
            if alike and bank.common(codes) is None:
                tally.miss(
                    "separable", f"{chain.name}: {' and '.join(codes)} give the same answers"
                )


def _triples(chain: Chain) -> list[Variant]:
    """Draw some sets of three common mistakes of different stages, always the same ones."""
    common = sorted({mistake for pair in chain.doubles for mistake in pair}, key=repr)
    draw = random.Random(SEED)
    found: list[Variant] = []
    for _ in range(20 * TRIPLES):
        if len(found) == TRIPLES or len(common) < 3:
            break
        three = draw.sample(common, 3)
        stages = [stage for mistake in three for stage in mistake.places]
        apart = len(set(stages)) == len(stages) and len({each.code for each in three}) == 3
        if apart and frozenset(three) not in found:
            found.append(frozenset(three))
    return found


def _triple(
    judged: _Judged, chain: Chain, variant: Variant, asked: list[Question], tally: Tally
) -> None:
    found = judged.finding(chain, variant)
    if found is None:
        tally.miss("triples", f"{chain.name}: {sorted(map(repr, variant))} gets full marks")
        return
    named = [each - PLAIN - {UNKNOWN} for each in _sets(found)]
    if not any(named):
        tally.unknown += 1
    elif any(each & set(codes_of(variant)) for each in named):
        pass
    elif _equals(chain, found, variant, asked):
        tally.alike += 1
    else:
        tally.miss("triples", f"{chain.name}: {sorted(map(repr, variant))} is named {found.codes}")


def run_right(
    graders: Graders, exercise: str, namespace: Mapping[str, Any], rng_for: Callable[[Check], Any]
) -> list[str]:
    """Judge right code, and give the checks that it does not pass, with the code said."""
    student = LocalStudent(namespace)
    outcomes = run_checks(graders.checks[exercise], student, graders.solutions, rng_for)
    return [f"{each.check.name} ({each.code})" for each in outcomes if not each.passed]
