"""`attn verify`: a weak grader, an unnamed mistake and an unfair check do not get past it."""

from __future__ import annotations

from pathlib import Path

import pytest
import running
import small_kit

from autograder.bank import load_bank
from autograder.build import build
from autograder.exercise import read_kit
from autograder.proof import prove_exercise
from autograder.verify import Claim, verify

MISTAKES = """
from autograder.bank import Chain

twice = Chain("twice", "x")


@twice.stage
def doubled(x):
    return x + x


@doubled.wrong("C-SQUARE")
def squared(x):
    return x * x


@doubled.wrong("C-NONE")
def no_return(x):
    return None


@twice.stage
def result(doubled):
    return doubled


@result.wrong("C-ROUND")
def rounded(doubled):
    return doubled.round(1)
"""


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    root = small_kit.small_kit(tmp_path)
    (root / "autograder" / "mistakes").mkdir()
    _mistakes(root, MISTAKES)
    variants = root / "tests" / "right_variants" / "twice"
    variants.mkdir(parents=True)
    (variants / "times_two.py").write_text("def twice(x):\n    return 2 * x\n", "utf-8")
    build(read_kit(root))
    return root


def _mistakes(root: Path, text: str) -> None:
    (root / "autograder" / "mistakes" / "twice.py").write_text(text, "utf-8")


def _grader(root: Path, old: str, new: str) -> None:
    path = root / "autograder" / "graders" / "test_twice.py"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def claims(root: Path) -> list[Claim]:
    return list(verify(root, jobs=1))


def broken(root: Path) -> str:
    """Give the lines below the claims that do not hold."""
    build(read_kit(root))
    return "\n".join(line for claim in claims(root) if not claim.ok for line in claim.details)


def test_every_claim_holds_when_the_kit_is_sound(kit: Path) -> None:
    said = claims(kit)
    assert [each.text for each in said if not each.ok] == []
    text = "\n".join(each.text for each in said)
    assert "10 points in 4 checks of 2 exercises" in text
    assert "2 untouched stubs" in text
    assert "each of 1 right solutions" in text
    assert "3 single and 2 double mistakes" in text


def test_a_mistake_is_listed_when_the_grader_lets_it_through(kit: Path) -> None:
    _grader(kit, "expect.close(student.twice(x), reference.twice(x))", "student.twice(x)")
    assert "C-ROUND:rounded gets full marks" in broken(kit)


def test_two_codes_are_listed_when_no_probe_tells_them_apart(kit: Path) -> None:
    text = MISTAKES + '\n\n@doubled.wrong("C-FLOAT32")\ndef power(x):\n    return x**2\n'
    _mistakes(kit, text)
    lines = broken(kit)
    assert "C-FLOAT32 and C-SQUARE give the same answers" in lines
    assert "could be C-SQUARE or C-FLOAT32" in lines


def test_equal_codes_hold_when_they_are_declared(kit: Path) -> None:
    text = MISTAKES + '\n\n@doubled.wrong("C-FLOAT32")\ndef power(x):\n    return x**2\n'
    _mistakes(kit, text + '\n\ntwice.same_numbers("C-SQUARE", "C-FLOAT32", common="C-VALUES")\n')
    assert broken(kit) == ""


def test_right_code_is_listed_when_a_check_is_unfair(kit: Path) -> None:
    _grader(
        kit,
        "expect.close(student.twice(x), reference.twice(x))",
        "expect.close(student.twice(x), reference.twice(x)); "
        "expect.that('+' in student.twice.__qualname__ or student.last.printed, 'C-VALUES')",
    )
    assert "the reference" in "\n".join(each.text for each in claims(kit) if not each.ok)


def test_an_unfair_variant_is_listed_by_its_file(kit: Path) -> None:
    path = kit / "tests" / "right_variants" / "twice" / "lists.py"
    path.write_text("def twice(x):\n    return [2 * x]\n", "utf-8")
    assert "twice/lists.py: shape_stays (C-SHAPE)" in broken(kit)


def test_exercises_are_listed_when_they_are_stale(kit: Path) -> None:
    (kit / "exercises" / "twice.py").write_text("", "utf-8")
    lines = [line for claim in claims(kit) if not claim.ok for line in claim.details]
    assert any("exercises/twice.py is stale" in line for line in lines)


def test_proofs_of_a_whole_exercise_hold() -> None:
    kit = running.kit()
    tally = prove_exercise(running.graders(), load_bank(kit.mistakes, "causal_mask"))
    assert tally.broken == {}
    assert tally.singles >= 16 and tally.doubles > 40 and tally.pairs > 80
