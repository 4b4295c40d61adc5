"""GitHub Classroom's result of one hand-in: the step output `result`, base64 of a small JSON."""

from __future__ import annotations

import base64
import json
from typing import Any

from autograder.export.entries import Entry
from autograder.messages import Lang, title

LONGEST = 300  # signs of a sentence: a step's outputs are kept small


def tree(entry: Entry, lang: Lang = "en") -> dict[str, Any]:
    """Give the JSON tree that stands in the output: one test an exercise's check."""
    exercises = entry.submission.exercises if entry.submission else ()
    tests = [
        {
            "name": f"{each.exercise}: {title(check.title, lang)}",
            "status": _status(check.status),
            "score": check.score,
            "message": (check.message or "")[:LONGEST],
            "test_code": "",
            "filename": f"{each.exercise}.py",
            "line_no": 0,
            "duration": 0,
        }
        for each in exercises
        for check in each.checks
    ]
    whole = all(test["status"] == "pass" for test in tests)
    return {
        "version": 1,
        "status": "error" if not tests else "pass" if whole else "fail",
        "max_score": entry.submission.max_score if entry.submission else 0.0,
        "tests": tests,
    }


def render(entry: Entry, lang: Lang = "en") -> str:
    """Give the line for ``$GITHUB_OUTPUT``."""
    text = json.dumps(tree(entry, lang), ensure_ascii=False, allow_nan=False)
    return f"result={base64.b64encode(text.encode('utf-8', 'backslashreplace')).decode()}\n"


def _status(status: str) -> str:
    return {"passed": "pass", "failed": "fail", "skipped": "fail"}.get(status, "error")
