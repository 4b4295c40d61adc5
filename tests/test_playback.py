"""Frozen numbers come back as they were, and a check that asks for others is told apart."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from autograder.playback import (
    PlaybackFault,
    PlaybackReference,
    PlaybackRng,
    RecordingReference,
    RecordingRng,
    decode,
    encode,
    rounded,
)
from autograder.student import Handle, Trouble

VALUES = {
    "float_array": np.array([[0.5, -2.25], [1e300, 0.0]]),
    "float32_array": np.array([0.1, 1 / 3], dtype=np.float32),
    "not_finite": np.array([np.inf, -np.inf, np.nan]),
    "bool_array": np.array([[True, False]]),
    "int_array": np.arange(6).reshape(1, 2, 3),
    "empty_array": np.empty((0, 3)),
    "scalar_array": np.array(2.5),
    "containers": {"a": (1, 2.5, None), "b": ["x", True], "dtype": 3},
    "inf": float("-inf"),
    "handle": Handle(3),
}


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return (
            one.dtype == other.dtype
            and one.shape == other.shape
            and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
        )
    return type(one) is type(other) and one == other


@pytest.mark.parametrize("name", VALUES)
def test_a_value_comes_back_the_same_when_frozen_as_json(name: str) -> None:
    text = json.dumps(encode(rounded(VALUES[name])), allow_nan=False)
    assert _same(rounded(VALUES[name]), decode(json.loads(text)))


def test_a_trouble_comes_back_when_the_reference_raised() -> None:
    assert Trouble("raised", "ValueError").same_as(
        decode(encode(Trouble("raised", "ValueError", 7)))
    )


def test_an_object_has_no_frozen_form() -> None:
    with pytest.raises(TypeError, match="Generator"):
        encode(np.random.default_rng(1))


def test_noise_becomes_zero_when_it_is_far_below_the_largest_entry() -> None:
    noisy = np.array([1.0, 3e-17, -0.0])
    assert rounded(noisy, 1e-12).tolist() == [1.0, 0.0, 0.0]
    assert str(rounded(noisy, 1e-12)[2]) == "0.0"
    assert rounded(noisy).tolist()[1] == 3e-17


def test_the_same_draws_are_played_when_they_were_recorded() -> None:
    recorder = RecordingRng(5)
    drawn = [recorder.normal(size=(2, 3)), recorder.integers(9), recorder.permutation(4)]
    player = PlaybackRng(json.loads(json.dumps(recorder.records)))
    played = [player.normal(size=(2, 3)), player.integers(9), player.permutation(4)]
    assert all(map(_same, map(np.asarray, drawn), map(np.asarray, played)))


def test_a_draw_that_changes_its_argument_cannot_be_recorded() -> None:
    with pytest.raises(TypeError, match="shuffle changes its argument"):
        RecordingRng(5).shuffle([1, 2])


def test_the_reference_is_played_with_its_objects_when_it_makes_some() -> None:
    class Twice:
        def __init__(self, offset: float) -> None:
            self.W_q = np.array([offset])

        def forward(self, x: Any) -> Any:
            return 2 * x + self.W_q

    def session(reference: Any) -> list[Any]:
        made = reference.Twice(1.5)
        made.W_q = np.array([2.0])
        return [made.W_q, made.forward(np.ones(2)), reference.f()]

    recorder = RecordingReference({"Twice": Twice, "f": lambda: 1 / 3})
    recorded = session(recorder)
    records = json.loads(json.dumps(recorder.records))
    played = session(PlaybackReference(lambda: records))
    assert all(map(_same, recorded, played))
    assert played[2] == 0.333333333


@pytest.mark.parametrize("draw", ["uniform", "integers"])
def test_another_question_is_the_kits_fault_when_it_was_not_recorded(draw: str) -> None:
    recorder = RecordingRng(5)
    recorder.uniform()
    player = PlaybackRng(recorder.records)
    with pytest.raises(PlaybackFault):
        for _ in range(2):
            getattr(player, draw)(3)
