"""The sample class stays what it is: hand-ins as students make them, odd bytes and all."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from autograder.source import parse
from autograder.submission import Found, find

CLASS = Path(__file__).parent / "sample_class" / "submissions"
EXERCISES = ("softmax", "masked_attention", "heads")


@pytest.fixture(scope="module")
def found() -> dict[str, Found]:
    submissions, notices = find([CLASS], EXERCISES)
    assert notices == []
    return {each.id: each for each in submissions}


def test_ids_are_numbers_only(found: dict[str, Found]) -> None:
    assert list(found) == [f"student-{n:02}" for n in range(1, len(found) + 1)]
    assert len(found) >= 28


def test_one_is_empty_and_all_others_are_read(found: dict[str, Found]) -> None:
    states = {each.id: each.read().status for each in found.values()}
    assert [name for name, state in states.items() if state != "ok"] == ["student-28"]


def test_files_parse_but_for_the_broken_notebook(found: dict[str, Found]) -> None:
    refused = {
        each.id
        for each in found.values()
        for name, data in each.read().files
        if parse(name, data).error
    }
    assert refused == {"student-29"}


def test_windows_files_keep_their_mark_and_line_ends() -> None:
    for path in (CLASS / "student-27").iterdir():
        data = path.read_bytes()
        assert data.startswith(b"\xef\xbb\xbf")
        assert data.count(b"\r\n") == data.count(b"\n") > 0


def test_zip_keeps_its_junk() -> None:
    with zipfile.ZipFile(CLASS / "student-30.zip") as archive:
        assert any(name.startswith("__MACOSX/") for name in archive.namelist())


def test_downloaded_copy_keeps_its_name(found: dict[str, Found]) -> None:
    assert [name for name, _ in found["student-26"].read().files] == ["attention.ipynb"]
    assert (CLASS / "student-26" / "attention (1).ipynb").is_file()


def test_nothing_of_the_kit_or_of_a_machine_stands_in_the_hand_ins(
    found: dict[str, Found],
) -> None:
    for each in found.values():
        for _, data in each.read().files:
            assert not re.search(rb"SOLUTION|/home/|/Users/|/tmp/|@\w+\.\w+", data)
