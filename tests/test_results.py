"""Results follow from their checks, survive a round trip, and are never written in part."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from autograder import record
from autograder.packed import read_results
from autograder.results import (
    CheckResult,
    Results,
    ResultsError,
    SubmissionResult,
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


def test_a_file_is_read_alike_whole_and_hand_in_by_hand_in(
    results: Results, tmp_path: Path
) -> None:
    path = tmp_path / "results.json"
    write_atomically(path, results)
    assert read_results(path) == read(path) == results


def test_a_file_in_another_layout_is_read_too(results: Results, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    for indent in (None, 2):
        path.write_text(json.dumps(results.to_json(), indent=indent), encoding="utf-8")
        assert read_results(path) == results


def test_equal_exercises_of_a_file_become_one_object(results: Results, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    first = results.submissions[0]
    same = tuple(replace(first, id=f"s{number:02}") for number in range(10, 14))
    write_atomically(path, replace(results, submissions=same))
    found = read_results(path).submissions
    assert [each.id for each in found] == ["s10", "s11", "s12", "s13"]
    assert len({id(each.exercises[0]) for each in found}) == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace('"schema": 1', '"schema": 2'),
        lambda text: text.replace('"score": 2.0', '"score": 1.5'),
        lambda text: text.replace('"s02"', '"s01"'),
        lambda text: "",
        lambda text: "x" * 100_000,
    ],
    ids=["half", "schema", "score", "id twice", "empty", "no results"],
)
def test_a_damaged_file_is_refused_either_way(
    damage: Callable[[str], str], results: Results, tmp_path: Path
) -> None:
    path = tmp_path / "results.json"
    write_atomically(path, results)
    path.write_text(damage(path.read_text("utf-8")), encoding="utf-8")
    for reader in (read, read_results):
        with pytest.raises(ResultsError, match=re.escape(str(path))):
            reader(path)


def test_no_hand_in_waits_as_a_tree_while_another_is_written(
    results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[int] = []
    made = SubmissionResult.to_json

    def to_json(self: SubmissionResult) -> dict[str, object]:
        waiting.append(len(parts))
        return made(self)

    parts: list[bytes] = []
    monkeypatch.setattr(SubmissionResult, "to_json", to_json)
    monkeypatch.setattr(record, "write_whole", lambda _, data: parts.extend(data))
    write_atomically(tmp_path / "results.json", results)
    assert len(waiting) == len(results.submissions)
    assert len(set(waiting)) == len(waiting)  # each is asked for when those before are written


@pytest.mark.skipif(os.name != "posix", reason="devices of POSIX")
def test_what_is_no_file_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        for path in (pipe, link):
            record.write_whole(path, [b"a", b"b"])
            assert os.read(reading, 10) == b"ab"
    finally:
        os.close(reading)
    assert link.is_symlink() and pipe.is_fifo()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link", "pipe"]
