"""Exports as others open them: by their own tool, or by the steps that it takes."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from autograder.export import exercism, github_classroom, junit
from autograder.export.entries import Entry
from autograder.results import (
    CheckResult,
    SubmissionResult,
    exercise_result,
    graded,
    not_graded,
)

POINTS = (0.1, 0.2, 0.7, 2.0, 3.0)
STATUSES = ("passed", "failed", "error", "timeout", "skipped")


def hand_in(*statuses: str, printed: str = "") -> SubmissionResult:
    """Make a hand-in whose checks ended so."""
    checks = [
        CheckResult(
            f"c{n}", f"Fact {n}", each, p if each == "passed" else 0.0, p, "It <said> & so."
        )
        for n, (each, p) in enumerate(zip(statuses, POINTS, strict=False))
    ]
    return graded("ann", ["ann/softmax.py"], [exercise_result("softmax", checks)], printed=printed)


def entries() -> list[Entry]:
    broken = not_graded("bob", ["bob.ipynb"], "unreadable", 6.0, notice="It breaks off.")
    return [Entry(each.id, submission=each) for each in (hand_in(*STATUSES), broken)]


def test_junitparser_counts_what_the_results_hold(tmp_path: Path) -> None:
    junitparser = pytest.importorskip("junitparser", reason="the dev extra is not installed")
    path = tmp_path / "junit.xml"
    path.write_text(junit.render(entries()), encoding="utf-8")
    ann, bob = junitparser.JUnitXml.fromfile(str(path))
    assert (ann.name, ann.tests, ann.failures, ann.errors, ann.skipped) == (
        "ann.softmax",
        5,
        1,
        2,
        1,
    )
    kinds = [[type(each).__name__ for each in case.result] for case in ann]
    assert kinds == [[], ["Failure"], ["Error"], ["Error"], ["Skipped"]]
    assert [case.is_passed for case in ann] == [True, False, False, False, False]
    assert next(iter(ann)).classname == "ann.softmax"
    [said] = list(ann)[1].result
    assert said.message == "It <said> & so."
    [only] = bob
    assert (bob.errors, only.result[0].message) == (1, "It breaks off.")


@pytest.mark.parametrize("statuses", [("passed",) * 5, STATUSES, ("failed",) * 5])
def test_github_classrooms_reporter_adds_up_to_the_score(statuses: tuple[str, ...]) -> None:
    found = hand_in(*statuses)
    line = github_classroom.render(Entry("ann", submission=found))
    name, _, value = line.rstrip("\n").partition("=")
    told = json.loads(base64.b64decode(value, validate=True))
    total = 0.0
    for test in told["tests"]:  # in their order, as the reporter does
        total += test["score"]
    assert (name, told["max_score"]) == ("result", found.max_score)
    assert total == pytest.approx(found.score)
    assert told["status"] == ("pass" if found.score == found.max_score else "fail")


def test_exercism_says_that_an_output_was_cut_at_500_signs() -> None:
    def output(printed: str) -> str:
        tree = exercism.tree(Entry("ann", submission=hand_in("passed", printed=printed)))
        return str(tree["tests"][0]["output"])

    assert output("x" * 500) == "x" * 500
    long = output("x" * 501)
    assert len(long) == 500
    assert long.endswith("Output was truncated. Please limit to 500 chars")


def test_exercism_gives_a_message_where_nothing_could_be_run() -> None:
    _, bob = entries()
    tree = exercism.tree(bob)
    assert (tree["status"], tree["message"]) == ("error", "It breaks off.")
