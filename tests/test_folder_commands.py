"""`attn reset`, `attn pack`, `attn solution`: what becomes of a student's files."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path

import pytest

from autograder import handout, packing, startover
from autograder.desk import open_desk
from autograder.handin import receipt_of
from autograder.submission import discover
from autograder.wheel import unpacked
from tests.desks import OFF, RIGHT, RIGHT_TOO, attn, desk_folder, in_notebook

NOON = datetime(2026, 3, 1, 12, 0, 0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ATTN_LANG", "en")
    return desk_folder(tmp_path / "desk")


# reset


def test_reset_puts_one_exercise_back_and_keeps_what_was_written(folder: Path) -> None:
    before = (folder / "twice.py").read_text("utf-8")
    (folder / "twice.py").write_text(OFF, "utf-8")
    (folder / "quadruple.py").write_text(RIGHT_TOO, "utf-8")
    ran = attn("reset", "twice", "--yes", "--dir", folder)
    assert ran.exit_code == 0, ran.output
    assert (folder / "twice.py").read_text("utf-8") == before
    assert (folder / "quadruple.py").read_text("utf-8") == RIGHT_TOO
    [backup] = (folder / "backups").iterdir()
    assert backup.read_text("utf-8") == OFF
    assert re.fullmatch(r"twice_\d{4}(-\d\d){2}_\d\d(-\d\d){2}\.py\.bak", backup.name)
    assert f"Yours is in backups/{backup.name}." in ran.output


@pytest.mark.parametrize(("typed", "code"), [("n\n", 1), ("", 1), ("y\n", 0)])
def test_reset_asks_before_it_changes_anything(folder: Path, typed: str, code: int) -> None:
    (folder / "twice.py").write_text(OFF, "utf-8")
    ran = attn("reset", "--all", "--dir", folder, typed=typed)
    assert ran.exit_code == code
    assert ((folder / "twice.py").read_text("utf-8") == OFF) == (code == 1)
    assert "Put twice.py back to the start?" in ran.output


def test_reset_restores_a_file_that_is_gone(folder: Path) -> None:
    before = (folder / "twice.py").read_text("utf-8")
    (folder / "twice.py").unlink()
    ran = attn("reset", "twice", "-y", "--dir", folder)
    assert "twice.py was missing and is there again." in ran.output
    assert (folder / "twice.py").read_text("utf-8") == before


def test_reset_puts_the_notebooks_cells_back(folder: Path) -> None:
    before = json.loads((folder / "attention.ipynb").read_text("utf-8"))
    in_notebook(folder, "twice", OFF)
    in_notebook(folder, "Quadruple", RIGHT_TOO)
    attn("reset", "twice", "-y", "--dir", folder)
    after = json.loads((folder / "attention.ipynb").read_text("utf-8"))
    changed = [
        "".join(new["source"])
        for old, new in zip(before["cells"], after["cells"], strict=True)
        if "".join(old["source"]) != "".join(new["source"])
    ]
    assert changed == [RIGHT_TOO]


def test_reset_takes_a_new_notebook_when_the_old_one_is_damaged(folder: Path) -> None:
    before = (folder / "attention.ipynb").read_text("utf-8")
    (folder / "attention.ipynb").write_text('{"cells": [', "utf-8")
    attn("reset", "--all", "-y", "--dir", folder)
    assert (folder / "attention.ipynb").read_text("utf-8") == before


def test_reset_never_writes_over_a_backup(folder: Path) -> None:
    out, names = handout.read(folder), [("twice", ("twice",))]
    for text in ("a = 1\n", "a = 2\n"):
        (folder / "twice.py").write_text(text, "utf-8")
        startover.reset(folder, names, out, NOON)
    kept = sorted(each.name for each in (folder / "backups").iterdir())
    assert kept == ["twice_2026-03-01_12-00-00-2.py.bak", "twice_2026-03-01_12-00-00.py.bak"]


def test_reset_says_so_when_nothing_is_to_be_put_back(folder: Path) -> None:
    ran = attn("reset", "--all", "-y", "--dir", folder)
    assert (ran.exit_code, ran.output) == (
        0,
        "Nothing to put back: all is as it was handed out.\n",
    )
    assert not (folder / "backups").exists()


@pytest.mark.parametrize("arguments", [[], ["twice", "--all"], ["thrice"]])
def test_reset_exits_with_2_when_it_is_not_said_what(folder: Path, arguments: list[str]) -> None:
    assert attn("reset", *arguments, "--dir", folder).exit_code == 2


def test_reset_exits_with_2_when_the_start_is_not_known(folder: Path) -> None:
    (folder / "release.json").write_text("[]", "utf-8")
    ran = attn("reset", "--all", "-y", "--dir", folder)
    assert (ran.exit_code, "take it from the zip" in ran.output) == (2, True)


def test_a_backup_is_never_taken_for_a_hand_in(folder: Path) -> None:
    (folder / "twice.py").write_text(OFF, "utf-8")
    before = dict(open_desk(folder).files())
    attn("reset", "twice", "-y", "--dir", folder)
    assert set(dict(open_desk(folder).files())) == set(before)


# pack


def test_pack_holds_the_files_and_a_slip_and_nothing_else(folder: Path) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    (folder / "notes.txt").write_text("private", "utf-8")
    (folder / "mine.py").write_text("a = 1\n", "utf-8")
    ran = attn("pack", "--dir", folder)
    assert ran.exit_code == 0, ran.output
    members = unpacked((folder / "handin.zip").read_bytes())
    assert set(members) == {"twice.py", "quadruple.py", "attention.ipynb", "mine.py", "handin.json"}
    slip = json.loads(members["handin.json"])
    assert (slip["assignment"], slip["kit"]) == ("v1", packing.__version__)
    assert f"Receipt: {slip['receipt']} · {slip['packed']}" in ran.output


def test_pack_says_what_is_missing_or_a_stub(folder: Path) -> None:
    (folder / "twice.py").unlink()
    (folder / "attention.ipynb").unlink()
    ran = attn("pack", "--dir", folder)
    assert re.search(r"twice +not found", ran.output)
    assert re.search(r"quadruple +not started", ran.output)
    assert "2 not started or not found: twice, quadruple." in ran.output


def test_pack_gives_equal_receipts_for_equal_files(folder: Path, tmp_path: Path) -> None:
    files = open_desk(folder).files()
    exercises = ("twice", "quadruple")
    made = [
        packing.pack(files, tmp_path / f"{day}.zip", exercises, "v1", NOON.replace(day=day))
        for day in (1, 2)
    ]
    assert len({each.digest for each in made}) == 1
    assert len({each.time for each in made}) == 2


def test_a_packed_zip_reads_back_with_its_receipt_also_when_zipped_anew(
    folder: Path, tmp_path: Path
) -> None:
    ran = attn("pack", "--dir", folder, "--out", tmp_path / "ada.zip")
    [receipt] = re.findall(r"Receipt: (\S+)", ran.output)
    [read], notices = discover([tmp_path / "ada.zip"], ("twice", "quadruple"))
    assert (read.id, read.packed, receipt_of(read.files)) == ("ada", True, receipt)
    assert (read.notices, notices) == ((), [])


def test_a_hand_in_that_was_not_packed_has_no_receipt(folder: Path) -> None:
    [read], _ = discover([folder], ("twice", "quadruple"))
    assert not read.packed


def test_pack_exits_with_1_when_there_is_nothing(folder: Path) -> None:
    for name in ("twice.py", "quadruple.py", "attention.ipynb"):
        (folder / name).unlink()
    ran = attn("pack", "--dir", folder)
    assert (ran.exit_code, (folder / "handin.zip").exists()) == (1, False)
    assert "nothing to pack" in ran.output


def test_pack_exits_with_2_when_the_place_is_not_there(folder: Path) -> None:
    ran = attn("pack", "--dir", folder, "--out", folder / "no" / "such.zip")
    assert (ran.exit_code, "There is no folder" in ran.output) == (2, True)


# solution


def test_solution_is_not_there_in_a_course(folder: Path) -> None:
    ran = attn("solution", "twice", "--dir", folder)
    assert (ran.exit_code, "holds no solutions" in ran.output) == (2, True)


def test_solution_opens_when_the_exercise_passes(tmp_path: Path) -> None:
    folder = desk_folder(tmp_path / "own", self_study=True)
    assert attn("solution", "twice", "--lang", "en", "--dir", folder).exit_code == 1
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    ran = attn("solution", "twice", "--lang", "en", "--dir", folder)
    assert ran.exit_code == 0
    assert ran.output.startswith("# --- the solution ---\ndef twice")
    assert "# --- another right style (1) ---" in ran.output


def test_solution_opens_after_five_different_tries(tmp_path: Path) -> None:
    folder = desk_folder(tmp_path / "own", self_study=True)
    codes = []
    for number in (1, 1, 2, 3, 4, 5):
        (folder / "twice.py").write_text(f"def twice(x):\n    return x + {number}\n", "utf-8")
        codes.append(attn("solution", "twice", "--dir", folder).exit_code)
    assert codes == [1, 1, 1, 1, 1, 0]


def test_nothing_has_fallen_when_it_was_put_back_on_purpose(folder: Path) -> None:
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    assert attn("check", "twice", "--dir", folder).exit_code == 0
    attn("reset", "twice", "--yes", "--dir", folder)
    assert "when last checked" not in attn("list", "--dir", folder).output
    (folder / "twice.py").write_text(RIGHT, "utf-8")
    attn("check", "twice", "--dir", folder)
    (folder / "twice.py").write_text(OFF, "utf-8")
    assert "twice was correct when last checked" in attn("list", "--dir", folder).output
