"""One verdict, whoever runs the grading: scores and findings, check by check, by three ways.

A slice of the sample class in every run; the whole class by ``pytest -m whole_class``, whose
table is tests/golden/same_verdict.md (``--refresh-golden`` writes it anew).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from three_ways import REFUSED, ThreeWays, table, three_ways

pytest.importorskip("nbgrader", reason="the course extra is not installed")
pytest.importorskip("matplotlib", reason="the course extra is not installed")

pytestmark = pytest.mark.xdist_group("same_verdict")

GOLDEN = Path(__file__).parent / "golden" / "same_verdict.md"
# One file for all, a hang and an exit, findings of several kinds, odd metadata, an empty folder.
SLICE = ("student-04", "student-09", "student-11", "student-20", "student-25", "student-28")


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> ThreeWays:
    """A few hand-ins, graded by all ways."""
    return three_ways(tmp_path_factory.mktemp("three"), SLICE)


def _agree(found: ThreeWays) -> None:
    for student, said in found.grade.items():
        assert found.ours[student] == said, student
        if student not in REFUSED:
            assert found.stock[student] == said, student
        if student in found.as_files:
            assert found.as_files[student] == said, student


def test_scores_and_findings_are_equal_by_all_ways(some: ThreeWays) -> None:
    assert set(some.grade) == set(SLICE)
    _agree(some)
    graded = [each for each in some.grade.values() if each.checks]
    assert len(graded) == len(SLICE) - 1
    assert some.ours["student-28"].why.startswith("empty: ")
    assert {finding for each in graded for _, _, finding in each.checks} > {""}


def test_the_committed_table_holds_these_hand_ins(some: ThreeWays) -> None:
    lines = set(GOLDEN.read_text("utf-8").splitlines())
    assert set(table(some).splitlines()) <= lines


def test_what_nbgrader_does_not_take_has_no_score_and_is_in_its_log(some: ThreeWays) -> None:
    assert some.stock["student-11"].score is None
    assert "student-11" in some.refused["student-11"]
    assert "display_name" in some.refused["student-11"]


@pytest.mark.whole_class
def test_the_whole_class_is_equal_by_all_ways(
    tmp_path: Path, golden: Callable[[str, str], None]
) -> None:
    found = three_ways(tmp_path)
    assert len(found.grade) == 38
    _agree(found)
    assert set(found.refused) == set(REFUSED)
    golden("same_verdict.md", table(found))
