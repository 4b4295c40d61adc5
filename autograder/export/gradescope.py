"""Gradescope's results.json for one hand-in.

Every check is told, hidden or not, as its title and a sentence without numbers: if one of them
were hidden from students, Gradescope would hide the total from them too.
"""

from __future__ import annotations

from typing import Any

from autograder.export.entries import Entry
from autograder.messages import Lang, title, ui
from autograder.results import CheckResult, ExerciseResult


def tree(entry: Entry, lang: Lang = "en") -> dict[str, Any]:
    """Give the JSON tree that Gradescope reads."""
    found = entry.submission
    exercises = found.exercises if found else ()
    return {
        "score": entry.score or 0.0,
        # Whole seconds: a finer time would tell a student something of hidden checks.
        "execution_time": float(round(found.seconds)) if found else 0.0,
        "output": (found.notice or "") if found else "",
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"findings": [code for each in exercises for code in each.findings]},
        "tests": [
            _test(f"{row}.{place}", each, check, lang)
            for row, each in enumerate(exercises, 1)
            for place, check in enumerate(each.checks, 1)
        ],
    }


def _test(number: str, exercise: ExerciseResult, check: CheckResult, lang: Lang) -> dict[str, Any]:
    verdict = ui(f"check.{check.status}", lang)
    return {
        "score": check.score,
        "max_score": check.max_score,
        "status": "passed" if check.status == "passed" else "failed",
        "name": f"{exercise.exercise}: {title(check.title, lang)}",
        "number": number,
        "output": f"{verdict}: {check.message}" if check.message else verdict,
        "tags": [exercise.exercise],
        "visibility": "visible",
    }
