"""One submission in its worker: what a hang, a death and an earlier mistake cost."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

import pytest
from classroom import COLUMNS

from autograder.exercise import Kit, given_sources, reference
from autograder.grade import Graders, load_checks, prove, seeded
from autograder.judge import Judge, Judged
from autograder.sandbox import Sandbox

HANG = "def {name}(*args, **kwargs):\n    while True:\n        pass\n"
EXIT = "import os\n\n\ndef {name}(*args, **kwargs):\n    os._exit(0)\n"


@pytest.fixture(scope="module")
def graders(kit: Kit) -> Graders:
    return prove(load_checks(kit.graders, kit.ids), reference(kit))


@pytest.fixture(scope="module")
def sources(kit: Kit) -> dict[str, str]:
    return given_sources(kit)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


@pytest.fixture
def judged(kit: Kit, graders: Graders, sources: dict[str, str], sandbox: Sandbox):
    """Judge the solutions with some files changed or (None) left out."""

    def run(changes: Mapping[str, str | None]) -> dict[str, Judged]:
        files = [
            (f"{name}.py", text.encode())
            for name, text in {**sources, **changes}.items()
            if text is not None
        ]
        names = [(each.id, each.names) for each in kit.exercises]
        rng_for = seeded(b"test", "student-01")
        with Judge(sandbox, graders, names, files, rng_for, sources) as judge:
            return {each.exercise: each for each in judge.judge()}

    return run


def not_passed(judged: Mapping[str, Judged]) -> dict[str, set[str]]:
    return {
        name: {outcome.status for outcome in each.outcomes if not outcome.passed}
        for name, each in judged.items()
        if not each.passed
    }


def test_solutions_pass_every_check(judged):
    assert not_passed(judged({})) == {}


def test_a_hang_costs_its_own_function_only(judged):
    found = judged({"causal_mask": HANG.format(name="causal_mask")})
    assert not_passed(found) == {"causal_mask": {"timeout", "skipped"}}


def test_a_process_that_ends_costs_its_own_function_only(judged):
    found = judged({"row_entropy": None, "softmax": EXIT.format(name="softmax")})
    assert set(not_passed(found)) == {"softmax"}
    assert not_passed(found)["softmax"] <= {"error", "skipped"}


def test_a_mistake_costs_once_where_a_file_has_a_name_of_its_own(judged, sources):
    none = "def scaled_dot_product_attention(Q, K, V):\n    pass\n"
    changes = {"softmax": None, "my softmax": sources["softmax"]}
    found = judged({**changes, "scaled_dot_product_attention": none})
    assert set(not_passed(found)) == {"scaled_dot_product_attention"}


@pytest.mark.parametrize("imports", ["left out", "kept"])
def test_a_mistake_costs_once_where_one_file_holds_everything(judged, kit, sources, imports):
    none = "def scaled_dot_product_attention(Q, K, V):\n    pass\n"
    parts = {**sources, "scaled_dot_product_attention": none}
    own = re.compile(rf"^from ({'|'.join(kit.ids)}) import .*\n", re.MULTILINE)
    lines = [own.sub("" if imports == "left out" else r"\g<0>", parts[name]) for name in kit.ids]
    whole = "\n".join(lines)
    found = judged({**dict.fromkeys(kit.ids), "homework": whole})
    assert set(not_passed(found)) == {"scaled_dot_product_attention"}


def test_a_hang_at_import_costs_its_own_file_only(judged):
    found = judged({"heads": "while True:\n    pass\n\ndef split_heads(X, n):\n    return X\n"})
    assert set(not_passed(found)) == {"heads"}
    assert "timeout" in not_passed(found)["heads"]


def test_a_syntax_error_costs_its_own_file_only(judged):
    found = judged({"project_qkv": "def project_qkv(X, W_q, W_k, W_v)\n    return X\n"})
    assert not_passed(found) == {"project_qkv": {"error", "skipped"}}
    first = found["project_qkv"].outcomes[0]
    assert first.trouble is not None and (first.trouble.detail, first.trouble.line) == (
        "SyntaxError",
        1,
    )


def test_another_exercises_file_has_the_time_of_a_file_whoever_asks_for_it(judged, sources):
    found = judged({
        "softmax": sources["softmax"] + "\nimport time\ntime.sleep(1.2)\n",
        "compare_sentences": sources["compare_sentences"]
        + "\ndef argmax_agreement(A, B):\n    return 2.0\n",
    })  # fmt: skip
    passed = {each.check.name: each.passed for each in found["compare_sentences"].outcomes}
    assert not passed["agreement"] and passed["both_weights"] and passed["same_object"]


def test_an_earlier_mistake_costs_once(judged):
    found = judged({"softmax": COLUMNS})
    assert set(not_passed(found)) == {"softmax"}
    assert found["masked_attention"].followed


def test_a_lone_late_exercise_earns_its_full_points(judged, kit):
    others = {name: None for name in kit.ids if name != "masked_attention"}
    found = judged(others)
    assert found["masked_attention"].passed and found["masked_attention"].followed
    assert {each.state for name, each in found.items() if name in others} == {"missing"}


def test_a_stub_is_never_followed_through(judged):
    stub = "def masked_attention(Q, K, V, mask=None):\n    raise NotImplementedError()\n"
    found = judged({"softmax": COLUMNS, "masked_attention": stub})
    assert found["masked_attention"].state == "stub"
    assert {each.status for each in found["masked_attention"].outcomes} == {"skipped"}


def test_every_declared_check_has_an_outcome_whatever_happens(judged, graders):
    found = judged({"softmax": EXIT.format(name="softmax"), "heads": None})
    for exercise, checks in graders.checks.items():
        assert [each.check.name for each in found[exercise].outcomes] == [c.name for c in checks]


def test_what_a_worker_prints_after_the_first_question_is_not_kept(
    kit: Kit, graders: Graders, sandbox: Sandbox
):
    text = EXIT.format(name="softmax") + "print('process', os.getpid())\n"
    names = [(each.id, each.names) for each in kit.exercises]
    files = [("softmax.py", text.encode())]
    with Judge(sandbox, graders, names, files, seeded(b"test", "student-01")) as judge:
        judge.student.prepare("softmax")
        printed = judge.student.prints
        judge.judge()
    assert printed.startswith("process")
    assert judge.student.prints == printed


def test_no_place_is_told_of_an_error_beside_given_solutions(judged):
    code = "def attention_scores(Q, K, scale=True):\n    raise ValueError(softmax)\n"
    found = judged({"softmax": None, "attention_scores": "from softmax import softmax\n" + code})
    outcomes = found["attention_scores"].outcomes
    assert {o.trouble.detail for o in outcomes if o.trouble is not None} == {"ValueError"}
    assert {o.slots.get("line") for o in outcomes if o.trouble is not None} == {None}


def test_a_later_cell_does_not_reach_back_into_an_earlier_exercise(kit, graders, sandbox, sources):
    def cell(source: str) -> dict[str, object]:
        return {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}

    own = sources["softmax"].replace("def softmax(", "t = 3\n\n\ndef softmax(", 1)
    own = own.replace("return powers", "return t / 3 * powers", 1)
    cells = [cell("print('first')"), cell(own), cell('grade("softmax")'), cell("t = 4; len = 3")]
    cells.append(cell("print('last')"))
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    files = [("attention.ipynb", json.dumps(book).encode())]
    names = [(each.id, each.names) for each in kit.exercises]
    with Judge(sandbox, graders, names, files, seeded(b"test", "student-01")) as judge:
        found = {each.exercise: each for each in judge.judge()}
        printed = judge.student.prints
    assert "t / 3" in own and found["softmax"].passed
    assert printed.split() == ["first", "last"]


HOARDS = """\
import numpy as np
KEPT = []
def softmax(x, axis=-1):
    KEPT.append(1)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
SUFFERS = """\
import math, os
import numpy as np
from softmax import KEPT
def attention_scores(Q, K):
    if len(KEPT) > 3:
        {ends}
    return np.asarray(Q) @ np.swapaxes(np.asarray(K), -1, -2) / math.sqrt(np.shape(Q)[-1])
"""


@pytest.mark.parametrize("ends", ["os._exit(0)", "os.abort()", "raise MemoryError"])
def test_what_one_function_leaves_behind_costs_the_next_one_nothing(judged, ends: str) -> None:
    found = judged({"softmax": HOARDS, "attention_scores": SUFFERS.format(ends=ends)})
    assert found["softmax"].passed and found["attention_scores"].passed


def test_what_ends_its_own_process_each_time_is_not_asked_for_ever(judged) -> None:
    found = judged({"attention_scores": EXIT.format(name="attention_scores")})
    assert {each.status for each in found["attention_scores"].outcomes} <= {"error", "skipped"}
    assert found["masked_attention"].passed
