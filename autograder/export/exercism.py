"""Exercism's test runner interface, version 3: results.json of one hand-in."""

from __future__ import annotations

from typing import Any

from autograder.export.entries import Entry
from autograder.messages import Lang, title, ui
from autograder.results import SubmissionResult

LONGEST = 500  # signs of an output, by the interface, which gives the sentence as well
CUT = "\nOutput was truncated. Please limit to 500 chars"


def tree(entry: Entry, lang: Lang = "en") -> dict[str, Any]:
    """Give the JSON tree; `test_code` holds a check's title, never its source."""
    found = entry.submission
    if found is None or not found.exercises:
        return _error((found.notice if found else None) or ui("page.empty", lang))
    if said := _not_run(found):
        return _error("\n\n".join([*said, _cut(found.printed)]).rstrip())
    tests = []
    for place, each in enumerate(found.exercises, 1):
        for check in each.checks:
            name = title(check.title, lang)
            test = {
                "name": f"{each.exercise}: {name}",
                "status": {"passed": "pass", "failed": "fail", "skipped": "fail"}.get(
                    check.status, "error"
                ),
                "message": check.message if check.status != "passed" else None,
                "output": None,
                "test_code": name,
                "task_id": place,
            }
            tests.append(test)
    passed = all(test["status"] == "pass" for test in tests)
    # What the files printed belongs to no check: it stands with the first.
    if found.printed:
        tests[0]["output"] = _cut(found.printed)
    return {
        "version": 3,
        "status": "pass" if passed else "fail",
        "message": None,
        "tests": tests,
    }


def _error(said: str) -> dict[str, Any]:
    return {"version": 3, "status": "error", "message": said, "tests": []}


def _not_run(found: SubmissionResult) -> list[str]:
    """Give why nothing could be run, as where Python cannot read a file; [] where a check ended."""
    checks = [(each.exercise, check) for each in found.exercises for check in each.checks]
    if {check.status for _, check in checks} - {"error", "skipped"}:
        return []
    errors = [(of, check.message or check.title) for of, check in checks if check.status == "error"]
    said = dict.fromkeys(errors)
    several = len({of for of, _ in said}) > 1
    return [f"{of}: {message}" if several else message for of, message in said]


def _cut(printed: str) -> str:
    return printed if len(printed) <= LONGEST else printed[: LONGEST - len(CUT)] + CUT
