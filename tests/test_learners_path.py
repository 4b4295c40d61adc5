"""A learner goes through all exercises at the terminal: she errs, reads, mends, and hands in."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from autograder import batch
from autograder.exercise import Kit
from tests.desks import attn
from tests.typical import TYPICAL, mended, mistaken


def test_all_exercises_pass_at_the_end_of_the_path(
    kit: Kit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTN_LANG", "en")
    desk = tmp_path / "desk"
    shutil.copytree(kit.bundle, desk, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(desk)
    for exercise in kit.ids:
        (desk / f"{exercise}.py").write_text(mistaken(kit, exercise), "utf-8")
        ran = attn("check", exercise, "--json")
        [submission] = json.loads(ran.output)["submissions"]
        [found] = submission["exercises"]
        assert (ran.exit_code, found["findings"][:1]) == (1, [TYPICAL[exercise][2]])
        (desk / f"{exercise}.py").write_text(mended(kit, exercise), "utf-8")
        assert attn("check", exercise).exit_code == 0
    assert "11 of 11  [#############]" in attn("list").output

    packed = attn("pack", "--out", tmp_path / "ada.zip")
    [receipt] = re.findall(r"Receipt: (\S+)", packed.output)
    plan = batch.Plan(paths=(tmp_path / "ada.zip",), out=tmp_path / "graded")
    [graded] = batch.grade(kit, plan).submissions
    assert (graded.id, graded.score, graded.notice) == ("ada", 100.0, None)
    assert graded.receipt == receipt
    assert receipt in (tmp_path / "graded" / "students" / "ada.html").read_text("utf-8")
