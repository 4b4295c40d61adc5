"""`attn check`, `attn list` and `attn hint`: words in, words and an exit code out."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from autograder.build import build
from autograder.cli import main
from autograder.exercise import read_kit
from autograder.results import from_json
from tests.small_kit import small_kit

RIGHT = "def twice(x):\n    return 2 * x\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ATTN_LANG", "en")
    kit = read_kit(small_kit(tmp_path / "kit"))
    build(kit)
    shutil.copytree(kit.bundle, tmp_path / "desk")
    return tmp_path / "desk"


def _attn(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def test_exit_is_1_when_not_all_pass(folder: Path) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    ran = _attn("check", "--dir", folder)
    assert ran.exit_code == 1, ran.output
    assert "Twice: a number doubled: correct" in ran.output
    assert ran.output.splitlines()[-1] == "All self-checks pass in 1 of 2 exercises."


def test_exit_is_0_when_the_chosen_exercise_passes(folder: Path) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    ran = _attn("check", "twice", "--dir", folder)
    assert (ran.exit_code, "1 of 1" in ran.output) == (0, True)


@pytest.mark.parametrize("arguments", [["thrice"], ["--dir", "no/such/folder"]])
def test_exit_is_2_with_a_sentence_when_there_is_no_such_thing(
    arguments: list[str], folder: Path
) -> None:
    ran = _attn("check", "--dir", folder, *arguments)
    assert ran.exit_code == 2
    assert ran.output.startswith("attn: ")
    assert "Traceback" not in ran.output


def test_json_is_of_the_results_schema_when_asked_for(folder: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is a development extra")
    (folder / "twice.py").write_text("def twice(x):\n    return x + 2\n", "utf-8")
    ran = _attn("check", "--json", "--dir", folder)
    tree = json.loads(ran.output)
    schema = Path(__file__).resolve().parent.parent / "autograder" / "results.schema.json"
    jsonschema.validate(tree, json.loads(schema.read_text("utf-8")))
    [submission] = from_json(tree).submissions
    assert [(each.exercise, each.status) for each in submission.exercises] == [
        ("twice", "partial"),
        ("quadruple", "not_attempted"),
    ]
    assert submission.files == ("twice.py", "quadruple.py", "attention.ipynb")


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "There is no hint for quadruple yet: "), ("zh", "quadruple 还没有提示：")],
)
def test_hint_says_so_when_the_exercise_has_none(lang: str, said: str, folder: Path) -> None:
    ran = _attn("hint", "quadruple", "--level", 2, "--lang", lang, "--dir", folder)
    assert ran.exit_code == 0
    assert ran.output.startswith(said)
    assert len(ran.output.splitlines()) == 1


@pytest.mark.parametrize("command", ["hint", "picture", "solution"])
@pytest.mark.parametrize(("lang", "said"), [("en", "Which exercise?"), ("zh", "请写出是哪个练习")])
def test_the_exercises_are_listed_when_none_is_named(
    command: str, lang: str, said: str, folder: Path
) -> None:
    ran = _attn(command, "--lang", lang, "--dir", folder)
    assert ran.exit_code == 2
    assert said in ran.output and "twice, quadruple" in ran.output


def test_list_tells_state_and_minutes_in_chinese_when_asked(folder: Path) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    ran = _attn("list", "--lang", "zh", "--dir", folder)
    first, second, _, bar = ran.output.splitlines()
    assert "5 分钟" in first
    assert "正确" in first
    assert "4 分" in first
    assert "还没开始" in second
    assert bar == " 2 个中的 1 个  [######>------]"


def test_build_says_what_is_stale_when_only_checking(folder: Path) -> None:
    kit = folder.parent / "kit"
    assert _attn("build", "--check", "--kit", kit).exit_code == 0
    (kit / "exercises" / "twice.py").unlink()
    ran = _attn("build", "--check", "--kit", kit)
    assert (ran.exit_code, "twice.py is missing" in ran.stdout) == (1, True)
    assert _attn("build", "--kit", kit).stdout.strip().endswith("twice.py")
    assert _attn("build", "--check", "--kit", kit).stdout == "exercises/ is fresh.\n"


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_sentences_are_folded_in_a_terminal_and_whole_in_a_file(folder: Path) -> None:
    (folder / "twice.py").write_text("def twice(x):\n    return x + 2\n", "utf-8")
    call = [sys.executable, "-m", "autograder", "check", "twice", "--dir", str(folder)]
    kit = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "COLUMNS": "40"}
    whole = subprocess.run(call, capture_output=True, encoding="utf-8", env=kit, check=False).stdout
    ours, theirs = os.openpty()
    subprocess.run(call, stdout=theirs, stdin=subprocess.DEVNULL, env=kit, check=False)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # Linux: the other end is closed
        while part := os.read(ours, 2**16):
            shown += part
    os.close(ours)
    lines = shown.decode("utf-8").replace("\r\n", "\n").rstrip("\n").split("\n")
    assert max(map(len, whole.split("\n"))) > 40 >= max(map(len, lines))
    assert " ".join(" ".join(lines).split()) == " ".join(whole.split())
