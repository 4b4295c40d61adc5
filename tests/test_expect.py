"""Every rung of the ladder: what an expectation says of an answer, whatever the answer is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder import expect
from autograder.expect import Unmet
from autograder.student import LocalStudent

OUTPUT, WEIGHTS = (4, 2), (4, 4)


def code_of(call: Callable[[], Any]) -> str:
    with pytest.raises(Unmet) as caught:
        call()
    return caught.value.code


LADDER = {
    "none": (None, "C-NONE"),
    "text": ("0.5", "C-NOT-ARRAY"),
    "dict": ({}, "C-NOT-ARRAY"),
    "ragged": ([[1.0], [1.0, 2.0]], "C-NOT-ARRAY"),
    "texts_in_a_list": (["a", "b"], "C-NOT-ARRAY"),
    "huge_int": (10**400, "C-NOT-ARRAY"),
    "two_results": ((np.eye(3), np.eye(3)), "C-ONE-ARRAY"),
    "turned": (np.zeros((5, 3)), "C-SHAPE"),
    "flat": (np.zeros(15), "C-SHAPE"),
    "nan": (np.full((3, 5), np.nan), "C-NAN"),
    "inf": (np.full((3, 5), np.inf), "C-VALUES"),
    "rounded": (np.full((3, 5), 0.33335), "C-VALUES"),
}


@pytest.mark.parametrize("case", LADDER)
def test_close_when_an_answer_is_not_met(case: str) -> None:
    got, code = LADDER[case]
    assert code_of(lambda: expect.close(got, np.full((3, 5), 1 / 3))) == code


@pytest.mark.parametrize("kind", [list, np.float32, np.float64, np.longdouble])
def test_close_when_numbers_are_right_in_another_kind(kind: Any) -> None:
    want = np.full((3, 5), 1 / 3)
    got = want.tolist() if kind is list else want.astype(kind)
    assert expect.close(got, want).dtype == np.float64


def test_attention_when_output_and_weights_come_in_any_sequence() -> None:
    for got in ((np.zeros(OUTPUT), np.eye(4)), [np.zeros(OUTPUT), np.eye(4).tolist()]):
        output, weights = expect.attention(got, OUTPUT, WEIGHTS)
        assert (output.shape, weights.shape) == (OUTPUT, WEIGHTS)


PAIRS = {
    "none": (None, "C-NONE"),
    "one_array": (np.zeros(OUTPUT), "C-TUPLE"),
    "three": ((1, 2, 3), "C-TUPLE"),
    "swapped": ((np.eye(4), np.zeros(OUTPUT)), "C-SWAP"),
    "output_none": ((None, np.eye(4)), "C-NONE"),
    "weights_turned": ((np.zeros(OUTPUT), np.zeros((2, 4))), "C-SHAPE"),
}


@pytest.mark.parametrize("case", PAIRS)
def test_attention_when_an_answer_is_not_met(case: str) -> None:
    got, code = PAIRS[case]
    assert code_of(lambda: expect.attention(got, OUTPUT, WEIGHTS)) == code


def test_attention_when_both_shapes_are_equal() -> None:
    output, _ = expect.attention((np.ones((4, 4)), np.eye(4)), (4, 4), (4, 4))
    assert output[0, 1] == 1


ROWS = {
    "too_little": (np.full((2, 4), 0.2), "C-ROWSUM"),
    "negative": (np.array([[1.5, -0.5]]), "C-NEGATIVE"),
    "inf_and_minus_inf": (np.array([[np.inf, -np.inf]]), "C-ROWSUM"),
    "scalar": (1.0, "C-SHAPE"),
    "nan": (np.array([[np.nan, 1.0]]), "C-NAN"),
}


@pytest.mark.parametrize("case", ROWS)
def test_rows_sum_to_one_when_they_do_not(case: str) -> None:
    got, code = ROWS[case]
    assert code_of(lambda: expect.rows_sum_to_one(got)) == code


def test_items_when_three_arrays_are_stacked() -> None:
    assert len(expect.items(np.zeros((3, 5, 2)), 3)) == 3
    assert code_of(lambda: expect.items((1, 2), 3)) == "C-COUNT"


def test_mapping_when_a_key_is_missing() -> None:
    with pytest.raises(Unmet) as caught:
        expect.mapping({"weights_a": 1}, ("weights_a", "weights_b"))
    assert (caught.value.code, caught.value.slots) == ("C-KEY", {"key": "weights_b"})


def test_unchanged_when_an_argument_was_written_into() -> None:
    def in_place(Q: Any, K: Any) -> Any:
        K *= 2
        return Q @ K.T

    student = LocalStudent({"f": in_place, "g": lambda Q, K: Q @ K.T})
    K = np.eye(3)
    student.f(np.eye(3), K)
    with pytest.raises(Unmet) as caught:
        expect.unchanged(student.last.changed, ("Q", "K"))
    assert caught.value.slots == {"arg": "K"}
    assert np.array_equal(K, np.eye(3)), "the check's own array stays as it was"
    student.g(np.eye(3), K)
    expect.unchanged(student.last.changed, ("Q", "K"))
