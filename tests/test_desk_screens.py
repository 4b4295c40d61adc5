"""Every screen of the student's desk, in both languages, for each exercise's typical mistake."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder import board, messages, verdict
from autograder.cli import AT_THE_DESK, ELSEWHERE, main
from autograder.desk import Desk, check, open_desk
from autograder.exercise import Kit
from autograder.messages import Lang
from autograder.picture import Look
from autograder.sandbox import Sandbox
from autograder.verdict import State, Verdict
from tests.desks import OFF, attn, desk_folder
from tests.typical import TYPICAL, mended, mistaken

LANGS: tuple[Lang, Lang] = ("en", "zh")
COMMANDS = [[], *([name] for name in AT_THE_DESK)]
# Three words of English in a row; code, names of files and what a course calls itself aside.
_SENTENCE = re.compile(r"[A-Za-z']{2,}(?: [A-Za-z']{2,}){2,}")
_CODE = re.compile(r"`[^`]*`|^\$.*$|^.*[_=()\[\]].*$|\battn [a-z-]+ [a-z-]+", re.MULTILINE)

Sitting = dict[str, tuple[Verdict, Verdict]]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, kit: Kit) -> Desk:
    folder = tmp_path_factory.mktemp("screens") / "desk"
    shutil.copytree(kit.bundle, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return open_desk(folder)


@pytest.fixture(scope="module")
def sitting(desk: Desk, kit: Kit) -> Iterator[Sitting]:
    """Each exercise in order: its verdict with the typical mistake, and when that is mended."""
    found: Sitting = {}
    sandbox = Sandbox()
    for exercise in kit.ids:
        pair = []
        for text in (mistaken(kit, exercise), mended(kit, exercise)):
            (desk.folder / f"{exercise}.py").write_text(text, "utf-8")
            pair += check(desk, [exercise], sandbox)
        found[exercise] = (pair[0], pair[1])
    yield found
    sandbox.close()


def _screens(desk: Desk, exercise: str, pair: tuple[Verdict, Verdict], lang: Lang) -> str:
    """Give all that a learner can see of one exercise."""
    place = list(desk.checks).index(exercise)
    parts = []
    for found in pair:
        states: list[tuple[str, State]] = [
            (name, "correct" if at < place else found.state if at == place else "not_started")
            for at, name in enumerate(desk.checks)
        ]
        scene = board.Scene(desk, found, states, hints=1)
        parts += [
            ["$ attn check " + exercise, *verdict.lines(found, desk.about(exercise), lang)],
            [verdict.summary([found], lang, desk.hidden(exercise))],
            ["$ attn watch", *board.lines(scene, Look(lang=lang), keys=True)],
            ["$ attn watch --plain", *board.lines(scene, Look(lang=lang, plain=True), keys=False)],
        ]
    code = pair[0].told.codes[0]
    for level in (1, 2, 3):
        parts.append([f"$ attn hint --level {level}", messages.hint(exercise, level, lang, code)])
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("exercise", TYPICAL)
def test_screens_are_those_that_were_read(
    desk: Desk,
    sitting: Sitting,
    golden: Callable[[str, str], None],
    exercise: str,
    lang: Lang,
) -> None:
    golden(f"desk/{lang}/{exercise}.txt", _screens(desk, exercise, sitting[exercise], lang))


@pytest.mark.parametrize("exercise", TYPICAL)
def test_the_typical_mistake_is_named_and_its_mending_passes(
    sitting: Sitting, exercise: str
) -> None:
    wrong, right = sitting[exercise]
    assert (wrong.state, wrong.told.codes[:1]) == ("not_yet", (TYPICAL[exercise][2],))
    assert right.state == "correct"


@pytest.mark.parametrize("lang", LANGS)
def test_the_list_is_the_one_that_was_read(
    desk: Desk, sitting: Sitting, golden: Callable[[str, str], None], lang: Lang
) -> None:
    found = [pair[number % 2] for number, pair in enumerate(sitting.values())]
    golden(f"desk/{lang}/list.txt", "\n".join(board.listing(desk, found, Look(lang=lang))) + "\n")


def test_no_screen_is_wider_than_the_terminal(desk: Desk, sitting: Sitting) -> None:
    for exercise, pair in sitting.items():
        for lang in LANGS:
            scene = board.Scene(desk, pair[0], [(exercise, "not_yet")])
            shown = board.lines(scene, Look(columns=80, lang=lang), keys=True)
            assert [line for line in shown if board.width(line) > 80] == [], exercise


# No English where Chinese was asked for


def english(text: str) -> list[str]:
    """Give the pieces of a Chinese screen that read as English sentences."""
    return _SENTENCE.findall(_CODE.sub("", text))


def test_english_is_seen_where_it_is() -> None:
    assert english("还没对\nYour rows do not sum to 1.\n") == ["Your rows do not sum to"]
    assert english("softmax 的每一行 axis 0，见 `np.exp of all rows`") == []


@pytest.mark.parametrize("exercise", TYPICAL)
def test_a_chinese_screen_holds_no_english_sentence(
    desk: Desk, sitting: Sitting, exercise: str
) -> None:
    assert english(_screens(desk, exercise, sitting[exercise], "zh")) == []


@pytest.mark.parametrize(
    "words",
    [
        "check",
        "check nothing",
        "list",
        "hint twice",
        "hint twice",
        "reset --all --yes",
        "reset --all --yes",
        "reset nothing",
        "pack",
        "pack --out no/such/place.zip",
        "solution twice",
        "check --dir .",
        "prompt --list",
        "prompt",
        "prompt no-such",
        "prompt attention-tutor --exercise twice",
        "picture twice --out picture.doc",
        "picture nothing",
        *("chekc", "--foo", "check --foo", "hint", "hint twice --level 7", "hint twice --level"),
        *("check --lang fr", "list too much", "quiz 99", "reset", "prompt --dir no/such"),
    ],
)
def test_a_chinese_command_says_no_english_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    folder = desk_folder(tmp_path / "桌面")
    (folder / "twice.py").write_text(OFF, "utf-8")
    monkeypatch.chdir(tmp_path if words.endswith("--dir .") else folder)
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    monkeypatch.delenv("ATTN_LANG", raising=False)
    ran = attn(*words.split())
    said = ran.output
    for title in ("The shape stays", "Each number is doubled", "Doubling three times is eightfold"):
        said = said.replace(title, "")  # the small kit's own, which nobody translated
    assert ran.exit_code in (0, 1, 2)
    assert said.strip()
    assert english(said) == []


# Help


@pytest.mark.parametrize("lang", LANGS)
def test_help_is_the_one_that_was_read(
    golden: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch, lang: Lang
) -> None:
    monkeypatch.setenv("ATTN_LANG", lang)
    shown = []
    for words in COMMANDS:
        ran = CliRunner().invoke(main, [*words, "--help"], prog_name="attn")
        assert ran.exit_code == 0
        assert [line for line in ran.output.split("\n") if board.width(line) > 80] == []
        shown.append(f"$ attn {' '.join([*words, '--help'])}\n{ran.output}")
    golden(f"desk/{lang}/help.txt", "\n".join(shown))


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words) or "attn")
def test_chinese_help_holds_no_english_sentence(
    monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    monkeypatch.delenv("ATTN_LANG", raising=False)
    said = attn(*words, "--help").output.split("\n", 1)[1]  # below the usage line
    said = re.sub(r"^  (-\S.*?|\w+)  +", "", said, flags=re.MULTILINE)
    assert len(re.findall("[\u4e00-\u9fff]", said)) > 20
    assert english(said) == []
    assert not re.search(r"\b(Usage|Options|Show|default|Language|Folder)\b", said)


def test_every_command_has_its_line_in_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATTN_LANG", "zh")
    listed = attn("--help").output
    for name in {*ELSEWHERE, *main.commands}:
        assert re.search(rf"^  {name}  +.*[\u4e00-\u9fff]", listed, re.MULTILINE), name


def test_help_does_not_keep_a_command_waiting() -> None:
    code = (
        "import sys, autograder.cli, autograder.desk_cli, autograder.watch_cli;"
        "late = ('numpy', 'tomllib', 'autograder.picture');"
        "print([name for name in late if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_help_speaks_the_language_that_is_named_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATTN_LANG", "en")
    assert (
        attn("check", "--help", "--lang", "zh").output == attn("check", "--lang", "zh", "-h").output
    )
    assert "选项" in attn("check", "-h", "--lang", "zh").output
