"""`attn verify`: a weak grader, an unnamed mistake and an unfair check do not get past it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import running
import small_kit
from click.testing import CliRunner

from autograder.bank import load_bank
from autograder.build import build
from autograder.cli import main
from autograder.exercise import read_kit
from autograder.grade import load_checks
from autograder.pace import Steps
from autograder.proof import prove_exercise
from autograder.verify import Claim, verify

MISTAKES = """
from autograder.chain import Chain

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
    _words(root)
    build(read_kit(root))
    return root


def _words(root: Path, leave_out: str = "") -> None:
    """Write the small kit's locale files, without the lines that hold `leave_out`."""
    folder = root / "autograder" / "locale"
    folder.mkdir(exist_ok=True)
    codes = ("C-SQUARE", "C-NONE", "C-ROUND", "C-FLOAT32", "C-VALUES")
    own = [f'[{code}]\nname = "n {code}"\nsay = "s {code}"\n' for code in codes]
    own += [
        f'[hint.{each}]\n1 = "{each} a"\n2 = "{each} b"\n3 = "{each} c"\n'
        for each in ("twice", "quadruple")
    ]
    kit = read_kit(root)
    checks = load_checks(kit.graders, kit.ids)
    titles = "".join(f'"{check.title}" = "译"\n' for each in kit.ids for check in checks[each])
    for lang, text in (("en", "\n".join(own)), ("zh", "\n".join([*own, f"[title]\n{titles}"]))):
        kept = [line for line in text.split("\n") if not leave_out or leave_out not in line]
        (folder / f"{lang}.toml").write_text("\n".join(kept), "utf-8")


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


@pytest.mark.parametrize(
    ("left_out", "said"),
    [
        ("s C-SQUARE", "en.toml: [C-SQUARE] needs say (a mistake of twice)."),
        ("n C-NONE", "zh.toml: [C-NONE] needs name (a mistake of twice)."),
        ("C-ROUND", "en.toml: [C-ROUND] needs name, say (a mistake of twice)."),
        ("quadruple b", "en.toml: [hint.quadruple] needs 2."),
        ("Each number is", 'zh.toml: [title] needs "Each number is doubled" (a check of twice).'),
    ],
)
def test_words_are_listed_by_file_and_key_when_they_are_missing(
    kit: Path, left_out: str, said: str
) -> None:
    _words(kit, left_out)
    assert f"autograder/locale/{said}" in broken(kit).split("\n")


def test_build_warns_when_words_are_missing_and_says_that_all_is_fresh(kit: Path) -> None:
    _words(kit, "quadruple b")
    for words in (["build"], ["build", "--check"]):
        ran = CliRunner().invoke(main, [*words, "--kit", str(kit)])
        assert (ran.exit_code, ran.stdout) == (0, "exercises/ is fresh.\n")
        assert "warning: autograder/locale/zh.toml: [hint.quadruple] needs 2." in ran.stderr
    _words(kit)
    assert CliRunner().invoke(main, ["build", "--kit", str(kit)]).stderr == ""


def test_each_proved_exercise_is_told_when_there_is_no_terminal(kit: Path) -> None:
    said = io.StringIO()
    assert all(each.ok for each in verify(kit, jobs=2, progress=Steps("proved", said)))
    lines = said.getvalue().splitlines()
    assert [line.partition(",")[0] for line in lines] == [
        *("attn: proved: 0 of 2", "attn: proved: 1 of 2", "attn: proved: 2 of 2")
    ]
    assert {line.partition(", ")[2] for line in lines} == {"", "twice", "quadruple"}


def test_a_bar_is_shown_and_taken_away_when_there_is_a_terminal() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    said = Terminal()
    steps = Steps("proved", said)
    for done, name in enumerate(("", "twice", "quadruple")):
        steps(name, done, 2)
    assert "proved: 0 of 2" in said.getvalue()
    assert "attn: " not in said.getvalue()


def test_proofs_of_a_whole_exercise_hold() -> None:
    kit = running.kit()
    tally = prove_exercise(running.graders(), load_bank(kit.mistakes, "causal_mask"))
    assert tally.broken == {}
    assert tally.singles >= 16 and tally.doubles > 40 and tally.pairs > 80
