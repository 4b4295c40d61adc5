"""The bank of known mistakes: what an author writes, and that the kit's own is large and true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import running

from autograder import messages
from autograder.bank import Bank, load_bank
from autograder.chain import RIGHT, Chain, Raised, codes_of
from autograder.student import LocalStudent, Trouble

AUTHORED = """
from autograder.chain import Chain

average = Chain("average", "x", weight=1.0)


@average.stage
def total(x):
    return x.sum()


@total.wrong("AV-FIRST")
def first_only(x):
    return x[0]


@average.stage
def share(total, x, weight):
    return weight * total / len(x)


@share.wrong("AV-TOTAL")
def not_divided(total, weight):
    return weight * total


@share.wrong("AV-TWICE", total=lambda x: x.mean())
def divided_twice(total, x, weight):
    return weight * total / len(x)


@average.replaced("AV-STATE", state=True)
def changes_x(x, weight=1.0):
    x -= x.mean()
    return weight * x.mean()
"""


@pytest.fixture
def authored(tmp_path: Path) -> Bank:
    (tmp_path / "average.py").write_text(AUTHORED, "utf-8")
    return load_bank(tmp_path, "average")


def _variant(chain: Chain, *names: str) -> Any:
    return frozenset(each for each in chain.mistakes if each.name in names)


def test_singles_and_doubles_come_for_free_when_stages_are_written(authored: Bank) -> None:
    chain = authored.chains["average"]
    assert len(chain.singles) == 4
    assert {codes_of(each) for each in chain.doubles} == {("AV-FIRST", "AV-TOTAL")}


def test_a_chain_answers_as_python_would_when_called(authored: Bank) -> None:
    chain = authored.chains["average"]
    x = np.array([1.0, 2.0, 6.0])
    assert chain.public(RIGHT)(x) == 3.0
    assert chain.public(RIGHT)(x, weight=2.0) == 6.0
    assert chain.public(_variant(chain, "first_only", "not_divided"))(x, 2.0) == 2.0
    with pytest.raises(TypeError):
        chain.public(RIGHT)(x, 1.0, 2.0)
    with pytest.raises(TypeError):
        chain.public(RIGHT)(weight=2.0)


def test_a_mistake_in_two_stages_uses_both_bodies(authored: Bank) -> None:
    chain = authored.chains["average"]
    assert chain.public(_variant(chain, "divided_twice"))(np.array([1.0, 2.0, 6.0])) == 1.0


def test_an_exception_is_the_answer_when_a_stage_raises(authored: Bank) -> None:
    chain = authored.chains["average"]
    value = chain.run(RIGHT, {"x": None, "weight": 1.0}, {})
    assert isinstance(value, Raised)
    assert value.kind == "AttributeError"


def test_stages_are_worked_out_once_when_variants_share_them() -> None:
    calls: list[str] = []
    chain = Chain("f", "x")

    @chain.stage
    def first(x: int) -> int:
        calls.append("first")
        return x

    second = chain.stage(lambda first: first)
    second.wrong("A")(lambda first: first + 1)
    cache: dict[Any, Any] = {}
    answers = [chain.run(each, {"x": 1}, cache) for each in (RIGHT, *chain.singles)]
    assert (answers, calls) == ([1, 2], ["first"])


def test_a_namespace_replaces_one_name_when_its_function_is_known_wrong(authored: Bank) -> None:
    chain = authored.chains["average"]
    names = authored.namespace(chain, _variant(chain, "first_only"), {"other": 7, "average": None})
    assert names["other"] == 7
    student = LocalStudent(names)
    assert float(student.average(np.array([3.0, 5.0]))) == 1.5


def test_the_bank_is_empty_when_an_exercise_has_no_file(tmp_path: Path) -> None:
    assert load_bank(tmp_path, "nothing").variants() == []


# The kit's own bank

FEWEST = {
    "softmax": (18, 0),
    "attention_scores": (26, 100),
    "scaled_dot_product_attention": (26, 250),
    "project_qkv": (6, 0),
    "self_attention": (8, 0),
    "ascii_heatmap": (2, 0),
    "causal_mask": (8, 0),
    "masked_attention": (26, 250),
    "heads": (8, 0),
    "multi_head_attention": (20, 0),
    "compare_sentences": (12, 0),
}


def _bank(exercise: str) -> Bank:
    return load_bank(running.kit().mistakes, exercise)


@pytest.mark.parametrize("exercise", FEWEST)
def test_mistakes_are_many(exercise: str) -> None:
    singles, doubles = FEWEST[exercise]
    chains = _bank(exercise).chains.values()
    assert sum(len(each.singles) for each in chains) >= singles
    assert sum(len(each.doubles) for each in chains) >= doubles


@pytest.mark.parametrize("exercise", FEWEST)
def test_the_right_chain_gets_full_marks(exercise: str) -> None:
    bank = _bank(exercise)
    for chain in bank.chains.values():
        names = bank.namespace(chain, RIGHT, running.graders().everything)
        assert running.lost(running.run(exercise, names)) == {}, chain.name


@pytest.mark.parametrize("exercise", FEWEST)
def test_every_graded_name_has_at_least_two_mistakes(exercise: str) -> None:
    chains = _bank(exercise).chains
    graded = running.kit().exercise(exercise).names
    assert [name for name in graded if name not in chains or len(chains[name].mistakes) < 2] == []


def test_every_code_has_a_sentence_in_both_languages() -> None:
    codes: set[str] = set()
    for exercise in FEWEST:
        bank = _bank(exercise)
        codes |= bank.codes | {common for _, common in bank.equal}
    for lang in ("en", "zh"):
        assert sorted(each for each in codes if "say" not in messages.entry(each, lang)) == []


def test_every_designed_mistake_is_in_the_bank() -> None:
    known = set().union(*(_bank(each).codes for each in FEWEST))
    asked = (
        "SM-AXIS0 SM-GLOBAL SM-KEEPDIMS SM-KEEPDIMS-MAX SM-COLMAX SM-UNSTABLE SM-GLOBALMAX"
        " SM-NOEXP SM-NO-NORM SM-DIV-MAX SM-HARDMAX SM-SIGMOID SM-LOG SM-BASE2 SM-SUB-SUM"
        " SM-AXIS1-HARD SCALE-NONE SCALE-DK SCALE-SQRT-NK SCALE-SQRT-NQ SCALE-SQRT-DV SCALE-MULT"
        " SCALE-AFTER SCORES-KQT SCORES-NOT COSINE SOFTMAX-MISSING OUT-WT-V OUT-K OUT-Q"
        " OUT-SCORES-V ATT-UNIFORM MASK-IGNORED MASK-INVERTED MASK-AFTER MASK-AFTER-RENORM"
        " MASK-ZERO MASK-LEAKY MASK-ADD01 MASK-0xINF MASK-TRANSPOSED MASK-ON-V MASK-ALWAYS"
        " CAUSAL-TRIU CAUSAL-NO-SELF CAUSAL-PEEK CAUSAL-DTYPE P-XT P-SAME-W P-QK-SWAP P-V-RAW"
        " SA-REINIT SA-GLOBAL-SEED SA-SEED-IGNORED SA-CLONES SA-SCALE H-SPLIT-RESHAPE"
        " H-MERGE-RESHAPE H-INTERLEAVED H-SCALE-DMODEL H-MEAN H-SUM H-NO-WO H-WO-T H-ONE"
        " H-SINGLE H-ACROSS H-ORDER H-DIV CMP-SQRT CMP-LOG2 CMP-KL CMP-LOG0 HM-CRASH0 HM-WIDTH"
        " HM-PRINTS HM-RANGE C-NONE C-TUPLE C-SWAP C-MUTATE C-INT C-BATCH C-ROUND"
    )
    assert [code for code in asked.split() if code not in known] == []


def test_a_mistake_never_writes_into_its_inputs() -> None:
    for exercise in FEWEST:
        bank = _bank(exercise)
        for chain, variant in bank.variants(doubles=False):
            if any(each.state for each in variant):
                continue
            student = LocalStudent(bank.namespace(chain, variant, running.graders().everything))
            for check in running.checks_of(exercise)[:2]:
                try:
                    rng = np.random.default_rng(1)
                    check.function(
                        **{
                            name: value
                            for name, value in (
                                ("student", student),
                                ("reference", running.graders().reference_student()),
                                ("rng", rng),
                            )
                            if name in check.fixtures
                        }
                    )
                except (AssertionError, Trouble):
                    pass
            assert not any(step.reply.changed for step in student.trace), variant
