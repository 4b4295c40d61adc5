"""A class from folders to results.json: nothing lost, nothing invented, nothing redone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest
from classroom import COLUMNS, plan, write

from autograder import batch, results
from autograder.exercise import Kit, given_sources
from autograder.submission import SubmissionError

SCHEMA = json.loads(Path(results.__file__).with_name("results.schema.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def right(kit: Kit) -> dict[str, str]:
    return {f"{name}.py": text for name, text in given_sources(kit).items()}


@pytest.fixture
def small_class(tmp_path: Path, right: dict[str, str]) -> Path:
    home = tmp_path / "class"
    write(home / "student-01", right)
    write(home / "student-02", {**right, "softmax.py": COLUMNS})
    write(home / "student-03", {"attention.ipynb": b"{ not json"})
    write(home / "student-04", {})
    write(home / "student-05", right)
    return home


def by_id(found: results.Results) -> dict[str, results.SubmissionResult]:
    return {each.id: each for each in found.submissions}


def test_a_class_is_graded_and_every_trouble_named(kit, small_class, tmp_path):
    found = by_id(batch.grade(kit, plan(small_class, tmp_path / "out")))
    assert {name: each.status for name, each in found.items()} == {
        "student-01": "graded",
        "student-02": "graded",
        "student-03": "unreadable",
        "student-04": "empty",
        "student-05": "graded",
    }
    assert found["student-01"].score == found["student-05"].score == 100.0
    assert found["student-03"].score is None and "attention.ipynb" in (
        found["student-03"].notice or ""
    )


def test_the_written_file_fits_the_schema_and_holds_no_secret(kit, small_class, tmp_path):
    batch.grade(kit, plan(small_class, tmp_path / "out"))
    text = (tmp_path / "out" / "results.json").read_text("utf-8")
    jsonschema.validate(json.loads(text), SCHEMA)
    assert "test" not in json.loads(text).get("secret", "")
    assert str(small_class) not in text


def test_a_wrong_softmax_costs_softmax_only_and_is_named(kit, small_class, tmp_path):
    found = by_id(batch.grade(kit, plan(small_class, tmp_path / "out")))["student-02"]
    lost = {each.exercise: each for each in found.exercises if each.status != "passed"}
    assert set(lost) == {"softmax"}
    assert lost["softmax"].findings[0] == "SM-AXIS0"
    later = {each.exercise: each for each in found.exercises}["masked_attention"]
    assert "softmax" in (later.notice or "")


def test_a_second_run_takes_over_what_has_not_changed(kit, small_class, tmp_path, monkeypatch):
    first = batch.grade(kit, plan(small_class, tmp_path / "out"))
    graded = []
    original = batch.Grader.grade
    monkeypatch.setattr(
        batch.Grader, "grade", lambda self, one: graded.append(one.id) or original(self, one)
    )
    (small_class / "student-05" / "softmax.py").write_text(COLUMNS, "utf-8")
    second = batch.grade(kit, plan(small_class, tmp_path / "out"))
    assert graded == ["student-05"]
    assert by_id(second)["student-01"] == by_id(first)["student-01"]
    assert by_id(second)["student-05"].score == 92.0 or by_id(second)["student-05"].score < 100.0


def test_several_processes_give_what_one_gives(kit, small_class, tmp_path):
    one = batch.grade(kit, plan(small_class, tmp_path / "one", html=False))
    two = batch.grade(kit, plan(small_class, tmp_path / "two", html=False, jobs=2))
    strip = [{**each.to_json(), "seconds": 0} for each in one.submissions]
    assert strip == [{**each.to_json(), "seconds": 0} for each in two.submissions]


def test_two_students_get_other_numbers_and_a_regrade_the_same(kit, right, tmp_path):
    from autograder.check import check_of
    from autograder.grade import seeded

    def test_one(rng: object) -> None:
        """One"""

    check = check_of("softmax", "test_one", test_one)
    draw = lambda name: seeded(b"test", name)(check).normal(size=4).tolist()  # noqa: E731
    assert draw("student-01") == draw("student-01") != draw("student-02")


def test_nothing_to_grade_is_said(kit, tmp_path):
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "nowhere"):
        with pytest.raises(SubmissionError, match=path.name):
            batch.grade(kit, plan(path, tmp_path / "out"))


def test_the_secret_is_made_once_and_for_its_owner_alone(kit, small_class, tmp_path):
    out = tmp_path / "out"
    shutil.rmtree(small_class / "student-02")
    batch.grade(kit, batch.Plan(paths=(small_class,), out=out, html=False))
    made = (out / batch.SECRET).read_bytes()
    assert (out / batch.SECRET).stat().st_mode & 0o777 == 0o600
    batch.grade(kit, batch.Plan(paths=(small_class,), out=out, html=False))
    assert (out / batch.SECRET).read_bytes() == made
    assert made.decode() not in (out / "results.json").read_text("utf-8")


def test_a_notebook_gets_what_the_same_code_gets_as_files(kit, right, tmp_path):
    late = right["masked_attention.py"].replace("mask | empty, scores, -np.inf", "True, scores, 0")
    files = {**right, "softmax.py": COLUMNS, "masked_attention.py": late}
    files["heads.py"] = "def split_heads(X, n_heads):\n    raise NotImplementedError()\n"
    assert late != right["masked_attention.py"]
    write(tmp_path / "files" / "student-01", files)
    order = [files[f"{name}.py"] for name in kit.ids]
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": text} for text in order]
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    write(tmp_path / "notebook" / "student-01", {"attention.ipynb": json.dumps(book)})

    def told(form: str) -> list[object]:
        results = batch.grade(kit, plan(tmp_path / form, tmp_path / f"{form}-out", html=False))
        return [
            (each.exercise, each.status, each.score, each.findings, each.notice,
             [(check.check, check.status, check.score) for check in each.checks])
            for each in by_id(results)["student-01"].exercises
        ]  # fmt: skip

    assert told("files") == told("notebook")
    assert len({each[1] for each in told("files")}) > 2  # passed, partial, not attempted
