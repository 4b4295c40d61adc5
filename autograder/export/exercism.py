"""Exercism's test runner interface, version 3: results.json of one hand-in."""

from __future__ import annotations

from typing import Any

from autograder.export.entries import Entry
from autograder.messages import Lang, title, ui

LONGEST = 500  # signs of an output, by the interface, which gives the sentence as well
CUT = "\nOutput was truncated. Please limit to 500 chars"


def tree(entry: Entry, lang: Lang = "en") -> dict[str, Any]:
    """Give the JSON tree; `test_code` holds a check's title, never its source."""
    found = entry.submission
    if found is None or not found.exercises:
        said = (found.notice or "") if found else ui("page.empty", lang)
        return {"version": 3, "status": "error", "message": said, "tests": []}
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
        whole = len(found.printed) <= LONGEST
        tests[0]["output"] = found.printed if whole else found.printed[: LONGEST - len(CUT)] + CUT
    return {
        "version": 3,
        "status": "pass" if passed else "fail",
        "message": None,
        "tests": tests,
    }
