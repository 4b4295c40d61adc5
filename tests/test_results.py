"""Results follow from their checks, survive a round trip, and are never written in part."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from autograder import record
from autograder.results import (
    CheckResult,
    Results,
    ResultsError,
    exercise_result,
    exercise_status,
    from_json,
    graded,
    not_graded,
    read,
    submission_from_json,
    write_atomically,
)

SCHEMA = json.loads(files("autograder").joinpath("results.schema.json").read_text("utf-8"))


def check(name: str, status: str, worth: float = 2.0) -> CheckResult:
    passed = status == "passed"
    return CheckResult(
        check=name,
        title=f"Title of {name}",
        status=status,  # type: ignore[arg-type]
        score=worth if passed else 0.0,
        max_score=worth,
        message=None if passed else "A sentence.",
        finding=None if passed else "SM-AXIS0",
    )


@pytest.fixture
def results() -> Results:
    softmax = exercise_result(
        "softmax",
        [check("shape", "passed"), check("rows", "failed", 3.5)],
        findings=["SM-AXIS0"],
        notice="A note.",
        detail={"second": "SM-NO-NORM"},
    )
    mask = exercise_result("causal_mask", [check("values", "skipped")], state="stub")
    return Results(
        kit="0.1.0",
        isolation=("L2", "seccomp"),
        submissions=(
            graded("s01", ["s01/softmax.py"], [softmax, mask], seconds=0.03, printed="hi"),
            not_graded("s02", [], "empty", 7.5),
            not_graded("s03", ["x.ipynb"], "unreadable", 7.5, notice="No JSON."),
        ),
    )


def errors(tree: object) -> list[str]:
    return [error.message for error in Draft202012Validator(SCHEMA).iter_errors(tree)]


def test_schema_is_one_of_its_dialect() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_json_is_what_the_schema_describes(results: Results) -> None:
    assert errors(results.to_json()) == []


def test_json_has_the_documented_fields_only_when_nothing_is_added() -> None:
    bare = Results(
        "0.1.0", ("L1",), (graded("s", [], [exercise_result("e", [check("c", "passed")])]),)
    )
    tree = bare.to_json()
    submission = tree["submissions"][0]
    exercise = submission["exercises"][0]
    assert list(tree) == ["schema", "kit", "isolation", "submissions"]
    assert list(submission) == (
        ["id", "files", "status", "score", "max_score", "seconds", "notice", "exercises"]
    )
    assert list(exercise) == ["exercise", "status", "score", "max_score", "findings", "checks"]
    assert list(exercise["checks"][0]) == (
        ["check", "title", "status", "score", "max_score", "message", "finding"]
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda tree: tree.update(schema=2),
        lambda tree: tree.update(isolation=["process"]),
        lambda tree: tree["submissions"][0].update(score=None),
        lambda tree: tree["submissions"][1].update(score=0.0),
        lambda tree: tree["submissions"][0].update(status="fine"),
        lambda tree: tree["submissions"][0]["exercises"][0]["checks"][1].update(score=1.0),
        lambda tree: tree["submissions"][0]["exercises"][1]["checks"][0].update(status="failed"),
        lambda tree: tree["submissions"][0]["exercises"][0].pop("findings"),
    ],
)
def test_schema_refuses_what_contradicts_it(results: Results, change: object) -> None:
    tree = results.to_json()
    change(tree)  # type: ignore[operator]
    assert errors(tree)


def test_results_are_the_same_after_a_round_trip(results: Results, tmp_path: Path) -> None:
    path = tmp_path / "out" / "results.json"
    write_atomically(path, results)
    assert read(path) == results
    first = results.submissions[0]
    assert submission_from_json(json.loads(json.dumps(first.to_json()))) == first


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (["passed", "passed"], "passed"),
        (["passed", "failed"], "partial"),
        (["passed", "timeout"], "partial"),
        (["passed", "skipped"], "partial"),
        (["failed", "timeout", "error"], "timeout"),
        (["failed", "error"], "error"),
        (["failed", "skipped"], "failed"),
    ],
)
def test_exercise_status_when_attempted(statuses: list[str], expected: str) -> None:
    checks = [check(f"c{place}", status) for place, status in enumerate(statuses)]
    assert exercise_status(checks) == expected


@pytest.mark.parametrize(("state", "expected"), [("stub", "not_attempted"), ("missing", "missing")])
def test_exercise_status_when_there_is_nothing_to_judge(state: str, expected: str) -> None:
    made = exercise_result("heads", [check("c", "skipped")], state=state)
    assert (made.status, made.score, made.max_score) == (expected, 0.0, 2.0)


def test_sums_when_put_together(results: Results) -> None:
    first = results.submissions[0]
    assert (first.score, first.max_score) == (2.0, 7.5)
    assert (first.exercises[0].score, first.exercises[0].max_score) == (2.0, 5.5)


def broken(results: Results, **changes: object) -> Results:
    first = replace(results.submissions[0], **changes)  # type: ignore[arg-type]
    return replace(results, submissions=(first, *results.submissions[1:]))


def broken_exercise(results: Results, **changes: object) -> Results:
    exercises = results.submissions[0].exercises
    first = replace(exercises[0], **changes)  # type: ignore[arg-type]
    return broken(results, exercises=(first, *exercises[1:]))


@pytest.mark.parametrize(
    ("breaking", "says"),
    [
        (lambda r: broken(r, score=3.0), "sum"),
        (lambda r: broken(r, max_score=100.0), "sum"),
        (lambda r: broken(r, id="s02"), "twice"),
        (lambda r: broken(r, exercises=()), "no score"),
        (lambda r: broken(r, status="empty"), "score"),
        (lambda r: broken(r, exercises=r.submissions[0].exercises[:1] * 2), "twice"),
        (lambda r: broken_exercise(r, status="passed"), "does not follow"),
        (lambda r: broken_exercise(r, status="missing"), "a check ran"),
        (lambda r: broken_exercise(r, checks=()), "no check"),
        (lambda r: broken_exercise(r, checks=r.submissions[0].exercises[0].checks * 2), "twice"),
        (
            lambda r: broken_exercise(r, checks=(replace(check("c", "failed"), score=2.0),)),
            "2.0 points",
        ),
    ],
)
def test_old_file_stays_when_results_contradict_themselves(
    results: Results, tmp_path: Path, breaking: object, says: str
) -> None:
    path = tmp_path / "results.json"
    write_atomically(path, results)
    before = path.read_bytes()
    with pytest.raises(ResultsError, match=says):
        write_atomically(path, breaking(results))  # type: ignore[operator]
    assert path.read_bytes() == before


def test_old_file_stays_when_the_disk_fails(
    results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.json"
    write_atomically(path, results)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, replace(results, kit="0.2.0"))
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["results.json"]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_permissions_stay_when_a_file_is_replaced(results: Results, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_atomically(path, results)
    path.chmod(0o640)
    write_atomically(path, results)
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_json_lacks_are_refused_both_ways(
    results: Results, tmp_path: Path, number: float
) -> None:
    with pytest.raises(ResultsError):
        write_atomically(tmp_path / "results.json", broken(results, seconds=number))
    text = json.dumps(broken(results, seconds=number).to_json())
    (tmp_path / "nan.json").write_text(text, encoding="utf-8")
    with pytest.raises(ResultsError, match=r"nan\.json"):
        read(tmp_path / "nan.json")


def test_whole_and_numpy_scores_become_plain_floats() -> None:
    made = exercise_result(
        "heads", [replace(check("c", "passed"), score=np.float64(2), max_score=2)]
    )
    text = record.dumps(Results("0.1.0", ("L1",), (graded("s", [], [made]),)).to_json())
    assert b'"score": 2.0' in text
    assert b'"max_score": 2.0' in text
    assert b"np." not in text


def test_file_name_of_odd_bytes_survives(results: Results, tmp_path: Path) -> None:
    odd = os.fsdecode(b"caf\xe9\n.py")
    path = tmp_path / "results.json"
    write_atomically(path, broken(results, id=odd, files=(odd,)))
    path.read_bytes().decode("utf-8", "strict")
    assert read(path).submissions[0].id == odd


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"{}", b'{"schema": 2}', b'{"schema": 1, "kit": "x"}', b"\xff", b"[" * 100_000],
)
def test_file_that_holds_no_results_is_named(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(text)
    with pytest.raises(ResultsError, match=r"odd\.json"):
        read(path)


def test_tree_with_a_value_of_another_kind_is_refused(results: Results) -> None:
    tree = results.to_json()
    tree["submissions"][0]["exercises"][0]["checks"][0]["score"] = "2"
    with pytest.raises(ResultsError, match=r"score is of another kind: str"):
        from_json(tree)


def test_each_hand_in_has_a_line_of_its_own(results: Results, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_atomically(path, results)
    found = [line for line in path.read_text("utf-8").splitlines() if line.startswith('{"id"')]
    assert [json.loads(line.rstrip(","))["id"] for line in found] == ["s01", "s02", "s03"]
