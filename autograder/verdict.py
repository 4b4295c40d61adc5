"""Words for the student's desk: what the visible checks found, as lines of text.

Colour and pictures stand elsewhere; every verdict is a word here. Knows nothing of files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from autograder.grade import Outcome
from autograder.judge import Judged
from autograder.messages import Lang, render, ui

State = Literal["not_started", "not_yet", "correct", "correct_but"]


def state(judged: Judged) -> State:
    """Say which of the four states an exercise is in."""
    if judged.state != "attempted":
        return "not_started"
    if judged.passed:
        return "correct"
    failed = [each for each in judged.outcomes if not each.passed and each.status != "skipped"]
    return "correct_but" if all(each.check.declared.robustness for each in failed) else "not_yet"


def sentence(outcome: Outcome, lang: Lang = "en") -> str:
    """Give what a learner reads about one check that did not pass: one line, no traceback."""
    return render(outcome.code or "UNKNOWN", outcome.slots, lang)


def lines(judged: Judged, about: Mapping[str, Any], lang: Lang = "en") -> Iterator[str]:
    """Give one exercise's verdict, then each check; a sentence that many share is said once."""
    title = about["title_zh"] if lang == "zh" and about.get("title_zh") else about["title"]
    found = state(judged)
    yield f"{judged.exercise} · {title}: {ui(f'desk.{found}', lang)}"
    said: set[str] = set()
    if found == "not_started":
        yield f"  {sentence(judged.outcomes[0], lang)}"
        return
    for outcome in judged.outcomes:
        yield f"  [{ui(f'check.{outcome.status}', lang)}] {outcome.check.title}"
        words = "" if outcome.passed else sentence(outcome, lang)
        if words and words not in said:
            said.add(words)
            yield f"      {words}"


def summary(judged: list[Judged], lang: Lang = "en") -> str:
    """Give the last line: how many exercises pass all their self-checks."""
    done = sum(each.passed for each in judged)
    key = "all" if done == len(judged) else "some"
    return ui(f"desk.{key}", lang, done=done, count=len(judged))
