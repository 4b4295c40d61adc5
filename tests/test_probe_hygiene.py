"""No exercise is judged by probes alone that hide mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from probes import KINDS, Probe, hiding, kinds_of, probes_of
from running import graders, kit, run

from autograder.student import LocalStudent, Op, Reply

SEEDS = 5


def probes(exercise: str, seed: int) -> list[Probe]:
    student = LocalStudent(graders().everything)
    run(exercise, student, seed)
    return list(probes_of(student.trace))


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("exercise", kit().ids)
def test_no_kind_hides_alone_when_an_exercise_is_judged(exercise: str, seed: int) -> None:
    found = hiding(probes(exercise, seed))
    assert found, "the exercise asks nothing that is known here"
    assert not any(found.values()), found


@pytest.mark.parametrize("exercise", kit().ids)
def test_one_probe_hides_nothing_when_an_exercise_is_judged(exercise: str) -> None:
    asked = probes(exercise, 0)
    for name in {probe.name for probe in asked}:
        clean = [probe for probe in asked if probe.name == name and not kinds_of(probe)]
        assert clean, f"each probe of {name} hides something"


@pytest.mark.parametrize("exercise", kit().ids)
def test_graded_functions_when_all_are_asked(exercise: str) -> None:
    asked = {probe.name for probe in probes(exercise, 0)}
    graded = {"forward" if name[0].isupper() else name for name in kit().exercise(exercise).names}
    assert graded <= asked


class Rolled(LocalStudent):
    """Right in each row's sum alone: every table of weights is moved by one column."""

    def ask(
        self,
        op: Op,
        name: str,
        target: int | None,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Reply:
        reply = super().ask(op, name, target, args, kwargs)
        answer = reply.value
        if name == "softmax":
            answer = np.roll(answer, 1, axis=kwargs.get("axis", -1))
        elif isinstance(answer, tuple) and len(answer) == 2:
            answer = (answer[0], np.roll(answer[1], 1, axis=-1))
        elif isinstance(answer, dict):
            rolled = {key: np.roll(answer[key], 1, axis=-1) for key in ("weights_a", "weights_b")}
            answer = answer | rolled
        return Reply(answer, reply.changed, reply.printed, reply.touched_rng)


@pytest.mark.parametrize(
    "exercise",
    [
        "softmax",
        "scaled_dot_product_attention",
        "self_attention",
        "masked_attention",
        "multi_head_attention",
        "compare_sentences",
    ],
)
def test_row_sums_are_not_all_when_weights_are_judged(exercise: str) -> None:
    outcomes = run(exercise, Rolled(graders().everything))
    assert sum(not outcome.passed for outcome in outcomes) >= 2


# The classification itself


def draw(*shape: int) -> Any:
    return np.random.default_rng(list(shape)).normal(size=shape)


TRIANGLE = np.tri(4, dtype=bool)
SQUARE = draw(4, 4)
SPREAD = np.array([[0.5, 0.5], [0.1, 0.9]])
BAD = {
    "as_many_queries_as_keys": Probe("attention_scores", {"Q": draw(4, 7), "K": draw(4, 7)}),
    "as_many_tokens_as_numbers": Probe("attention_scores", {"Q": draw(3, 4), "K": draw(4, 4)}),
    "equal_widths": Probe(
        "scaled_dot_product_attention", {"Q": draw(3, 7), "K": draw(5, 7), "V": draw(5, 7)}
    ),
    "one_array_for_all": Probe("attention_scores", {"Q": draw(4, 7), "K": draw(4, 7)}),
    "one_head": Probe("split_heads", {"X": draw(5, 12), "n_heads": 1}),
    "as_many_heads_as_numbers": Probe("concat_heads", {"H": draw(3, 5, 3)}),
    "identity_matrix": Probe(
        "multi_head_attention", {"X": draw(5, 12), "W_o": np.eye(12), "n_heads": 3}
    ),
    "open_mask": Probe("masked_attention", {"mask": np.ones((3, 5), dtype=bool)}),
    "saturated": Probe("softmax", {"scores": 1e4 * draw(3, 5)}, np.eye(3, 5)),
    "symmetric": Probe("ascii_heatmap", {"table": SQUARE + SQUARE.T}),
    "symmetric_mask": Probe("masked_attention", {"mask": TRIANGLE & TRIANGLE.T}),
    "one_token": Probe("split_heads", {"X": draw(1, 12), "n_heads": 3}),
}
GOOD = {
    "as_many_queries_as_keys": Probe("attention_scores", {"Q": draw(3, 7), "K": draw(5, 7)}),
    "as_many_tokens_as_numbers": Probe("attention_scores", {"Q": draw(3, 7), "K": draw(5, 7)}),
    "equal_widths": Probe(
        "scaled_dot_product_attention", {"Q": draw(3, 7), "K": draw(5, 7), "V": draw(5, 2)}
    ),
    "one_array_for_all": Probe("attention_scores", {"Q": draw(4, 7), "K": -draw(4, 7)}),
    "one_head": Probe("split_heads", {"X": draw(5, 12), "n_heads": 3}),
    "as_many_heads_as_numbers": Probe("concat_heads", {"H": draw(3, 5, 4)}),
    "identity_matrix": Probe(
        "multi_head_attention", {"X": draw(5, 12), "W_o": draw(12, 12), "n_heads": 3}
    ),
    "open_mask": Probe("masked_attention", {"mask": TRIANGLE}),
    "saturated": Probe("softmax", {"scores": draw(2, 2)}, SPREAD),
    "symmetric": Probe("ascii_heatmap", {"table": SQUARE}),
    "symmetric_mask": Probe("masked_attention", {"mask": TRIANGLE}),
    "one_token": Probe("split_heads", {"X": draw(5, 12), "n_heads": 3}),
}


@pytest.mark.parametrize("kind", [kind.__name__ for kind in KINDS])
def test_kind_is_named_when_it_is_the_only_one(kind: str) -> None:
    bad, good = BAD[kind], GOOD[kind]
    assert kind in kinds_of(bad)
    assert kind not in kinds_of(good)
    assert kind in hiding([bad, bad])[bad.name]
    assert kind not in hiding([bad, good])[bad.name]
