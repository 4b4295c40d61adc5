"""A known mistake that is judged twice is told alike, unless its own code draws anew each time."""

from __future__ import annotations

import pytest

from autograder.exercise import Kit
from autograder.rehearse import Act, Stage

# Unseeded by what they are: numbers that are quoted of them differ from run to run, codes do not.
RANDOM = {"DrawsInForward", "NeverTheSameWeights"}


@pytest.fixture(scope="module")
def stage(kit: Kit) -> Stage:
    return Stage(kit)


def told(stage: Stage, act: Act) -> tuple[object, ...]:
    """Give the points, the codes, and all that is told of one mistake, judged anew."""
    judged = stage.judged_act(act)
    finding = stage.diagnose(judged)
    codes = finding and (finding.codes, finding.candidates, finding.common, finding.correct_but)
    points = [(outcome.check.name, outcome.score, outcome.code) for outcome in judged.outcomes]
    return points, codes, repr(finding), repr([outcome.slots for outcome in judged.outcomes])


def test_what_draws_is_told_alike_when_it_is_judged_twice(stage: Stage) -> None:
    acts = [act for act in stage.acts() if act.exercise == "self_attention"]
    assert {act.mistake.name for act in acts} > RANDOM
    for act in acts:
        one, two = told(stage, act), told(stage, act)
        kept = 2 if act.mistake.name in RANDOM else len(one)
        assert one[:kept] == two[:kept], act.mistake


def test_numbers_of_an_unseeded_mistake_differ_when_it_is_judged_twice(stage: Stage) -> None:
    (act,) = (each for each in stage.acts("SA-REINIT") if each.mistake.name == "DrawsInForward")
    assert told(stage, act)[2] != told(stage, act)[2]
    assert stage.result(act).findings == ("SA-REINIT",)
