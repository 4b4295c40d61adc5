"""What another process grades with: all of the kit in memory, none of it on a disk."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

from small_kit import small_kit

from autograder.bank import bank_from_text, load_bank
from autograder.exercise import Kit, read_kit
from autograder.grader import Recipe
from autograder.submission import Submission

ADDED = """
from autograder.chain import Chain

twice = Chain("twice", "x")


@twice.stage
def answer(x):
    return x + x


@answer.wrong("{code}")
def left_as_it_is(x):
    return x
"""


def recipe(kit: Kit) -> bytes:
    return pickle.dumps(Recipe.of(kit, (), "en", b"test", None))


def test_a_recipe_grades_where_the_kit_is_gone(tmp_path: Path) -> None:
    home = small_kit(tmp_path / "kit")
    (home / "autograder" / "mistakes").mkdir()
    (home / "autograder" / "mistakes" / "twice.py").write_text(
        ADDED.format(code="SM-NOEXP"), "utf-8"
    )
    sent = recipe(read_kit(home))
    shutil.rmtree(home)
    grader = pickle.loads(sent).grader()
    try:
        found = grader.grade(Submission("s1", (("twice.py", b"def twice(x):\n    return x\n"),)))
    finally:
        grader.close()
    twice = found.exercises[0]
    assert (twice.status, twice.score, twice.findings) == ("partial", 1.0, ("SM-NOEXP",))


def test_the_same_mistakes_come_from_text_as_from_files(kit: Kit) -> None:
    texts = Recipe.of(kit, (), "en", b"test", None).texts.mistakes

    for exercise in kit.ids:
        one, other = load_bank(kit.mistakes, exercise), bank_from_text(texts, exercise)
        assert one.codes == other.codes and list(one.chains) == list(other.chains)
        assert len(one.variants()) == len(other.variants())
