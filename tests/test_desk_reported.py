"""Faults that other kits' students reported, by their number: the desk must not have them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import progress
from autograder.desk import check, open_desk
from autograder.progress import NAME, load
from tests.desks import OFF, RIGHT, RIGHT_TOO, attn, desk_folder

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ATTN_LANG", "en")
    return desk_folder(tmp_path / "my desk")


def _states(folder: Path) -> dict[str, str]:
    return dict(re.findall(r"^ . (\w+) +(not started|not yet|correct)", _list(folder), re.M))


def _list(folder: Path) -> str:
    ran = attn("list", "--dir", folder)
    assert ran.exit_code == 0, ran.output
    return ran.output


# B16: it says all done though it is not


def test_b16_an_untouched_folder_passes_nothing(folder: Path) -> None:
    assert _states(folder) == {"twice": "not started", "quadruple": "not started"}


def test_b16_a_copy_counts_for_nothing_and_is_named(folder: Path) -> None:
    (folder / "twice.py").write_text(OFF, "utf-8")
    (folder / "twice copy.py").write_text(RIGHT, "utf-8")
    ran = attn("check", "twice", "--dir", folder)
    assert ran.exit_code == 1
    assert "twice copy.py" in ran.output


@pytest.mark.parametrize("damage", [None, "", "[]", '{"exercises": {"twice": {"state": "done"}}}'])
def test_b16_progress_is_that_of_a_fresh_run_when_the_file_is_lost(
    folder: Path, damage: str | None
) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    before = _states(folder)
    (folder / NAME).unlink()
    if damage is not None:
        (folder / NAME).write_text(damage, "utf-8")
    assert _states(folder) == before == {"twice": "correct", "quadruple": "not started"}
    assert load(folder).of("twice").state == "correct"


def test_b16_a_solved_exercise_that_was_spoilt_is_said_to_be(folder: Path) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    _list(folder)
    (folder / "twice.py").write_text(OFF, "utf-8")
    told = _list(folder)
    assert told.splitlines()[-1] == "twice was correct when last checked, and is not yet now."
    assert "when last checked" not in _list(folder)


def test_b16_an_interrupted_write_leaves_the_older_progress(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _list(folder)
    before = (folder / NAME).read_bytes()

    def stop(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", stop)
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    assert _states(folder)["twice"] == "correct"
    assert (folder / NAME).read_bytes() == before


def test_b16_the_same_text_checked_again_is_no_other_try(folder: Path) -> None:
    for text in (OFF, OFF, RIGHT, OFF):
        (folder / "twice.py").write_text(text, "utf-8")
        attn("check", "twice", "--dir", folder)
    assert load(folder).of("twice").tries == 2


# B25: an older text is judged


def test_b25_the_text_on_disk_counts_whatever_its_time_and_size(folder: Path) -> None:
    path, desk = folder / "twice.py", open_desk(folder)
    (folder / "quadruple.py").write_text(RIGHT_TOO, "utf-8")
    found = []
    for sign in "+*":
        path.write_text(f"def twice(x):\n    return 2 {sign} x\n", "utf-8")
        os.utime(path, (1_700_000_000, 1_700_000_000))
        found.append([each.passed for each in check(desk, desk.checks)])
    assert found == [[False, False], [True, True]]
    assert not list(folder.rglob("twice*.pyc"))


# B57: another folder, another Python


@pytest.mark.parametrize("inside", ["prompts", "backups/old"])
def test_b57_the_folder_is_found_from_below(
    folder: Path, inside: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    below = folder / inside
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert attn("check", "twice").exit_code == 0


@pytest.mark.parametrize("command", ["check", "list", "watch", "pack", "reset --all"])
@pytest.mark.parametrize(("lang", "said"), [("en", "Go into the folder"), ("zh", "请进入")])
def test_b57_one_line_says_what_to_do_when_it_is_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, lang: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = attn(*command.split(), "--lang", lang)
    assert (ran.exit_code, len(ran.output.splitlines())) == (2, 1)
    assert said in ran.output


def test_b57_too_old_a_python_is_refused_at_the_installation() -> None:
    assert 'requires-python = ">=3.11"' in (ROOT / "pyproject.toml").read_text("utf-8")


# B75: the public checks pass, and that is not everything


@pytest.mark.parametrize(
    ("lang", "words"), [("en", ("public", "1 more")), ("zh", ("公开", "1 项"))]
)
def test_b75_a_full_pass_is_called_one_of_public_checks(
    folder: Path, lang: str, words: tuple[str, str]
) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    ran = attn("check", "twice", "--lang", lang, "--dir", folder)
    assert all(each in ran.output.splitlines()[-1] for each in words)


# B89: exit codes


@pytest.mark.parametrize(
    ("text", "code"),
    [(RIGHT, 0), (OFF, 1), ("def twice(x:\n", 1), (None, 1)],
    ids=["passes", "differs", "syntax", "not found"],
)
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["words", "json"])
def test_b89_the_exit_code_tells_whether_all_pass(
    folder: Path, text: str | None, code: int, form: list[str]
) -> None:
    (folder / "attention.ipynb").unlink()
    if text is None:
        (folder / "twice.py").unlink()
    else:
        (folder / "twice.py").write_text(text, "utf-8")
    ran = attn("check", "twice", *form, "--dir", folder)
    assert ran.exit_code == code
    assert not form or json.loads(ran.output)["schema"] == 1


def test_b89_no_check_at_all_is_no_success(folder: Path) -> None:
    (folder / "test_exercises.py").write_text("", "utf-8")
    assert attn("check", "--dir", folder).exit_code == 2


def test_b89_the_kits_own_fault_has_a_code_of_its_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = json.loads((folder / "checks.json").read_text("utf-8"))
    data["exercises"]["twice"]["checks"]["shape_stays"]["rng"] = []
    (folder / "checks.json").write_text(json.dumps(data), "utf-8")
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    ran = attn("check", "twice", "--dir", folder)
    assert ran.exit_code == 3
    assert "the kit's own fault" in ran.output


def test_b89_the_code_is_the_same_through_a_pipe(folder: Path) -> None:
    command = [sys.executable, "-m", "autograder", "check", "twice", "--dir", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (ran.returncode, ran.stderr) == (1, "")


def test_b40_checking_goes_on_when_progress_cannot_be_kept(folder: Path) -> None:
    (folder / NAME).mkdir()
    assert _states(folder)["twice"] == "not started"
    assert progress.load(folder) == progress.Progress()
