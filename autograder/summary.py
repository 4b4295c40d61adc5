"""What terminal, pages and exports say of results alike: findings, sentences, what needs a look.

Counts and chooses; how it is laid out stands with each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.messages import Lang, render, ui
from autograder.results import ExerciseResult, SubmissionResult

NOT_BEGUN = frozenset({"missing", "not_attempted"})
# Findings that are one check's own story: where, how long, which exception.
_TROUBLES = ("C-RAISED", "C-SYNTAX", "C-TIMEOUT", "C-DIED", "C-REFUSED", "C-NAME", "C-STUB")


def sentence_of(exercise: ExerciseResult, lang: Lang) -> str | None:
    """Give the one sentence that an exercise comes to; None where it passed.

    A finding about code that raised says more than the exception: then it is the finding's own
    sentence, and the exception stays with its check.
    """
    said = [check for check in exercise.checks if check.message]
    ran = [check for check in said if check.status != "skipped"]
    first = exercise.findings[0] if exercise.findings else None
    told = [check.message for check in ran if check.finding == first and check.status == "failed"]
    if first is None or told or first.startswith(_TROUBLES):
        return next(iter([*told, *(each.message for each in (*ran, *said))]), None)
    own = render(first, {}, lang, graded=True)
    return next((check.message for check in ran if own in (check.message or "")), own)


@dataclass(frozen=True)
class Look:
    """Why an instructor may want to look at a hand-in.

    Attributes
    ----------
    kind : str
        Of what the status is: ``submission`` or ``exercise``.
    status : str
    said : str
        A notice, or the exercises that stopped or ran too long.
    """

    kind: str
    status: str
    said: str


def looks(submission: SubmissionResult) -> list[Look]:
    """Give what needs a look: no score, an odd file, code that hung or did not start."""
    slow = [
        each.exercise
        for each in submission.exercises
        if any(check.status == "timeout" for check in each.checks)
    ]
    stopped = [each.exercise for each in submission.exercises if each.status == "error"]
    found = [Look("exercise", "timeout", ", ".join(slow))] if slow else []
    found += [Look("exercise", "error", ", ".join(stopped))] if stopped else []
    if submission.status != "graded" or submission.notice:
        found.insert(0, Look("submission", submission.status, submission.notice or ""))
    return found


def not_begun(submission: SubmissionResult) -> str | None:
    """Give ``missing`` or ``not_attempted`` where that is so of every exercise, else None."""
    statuses = {exercise.status for exercise in submission.exercises}
    return statuses.pop() if len(statuses) == 1 and statuses <= NOT_BEGUN else None


def exercises_of(submissions: Sequence[SubmissionResult]) -> dict[str, float]:
    """Give the exercises in course order, each with its points."""
    return {
        exercise.exercise: exercise.max_score
        for submission in submissions
        for exercise in submission.exercises
    }


def findings_of(submission: SubmissionResult) -> list[str]:
    """Give the codes a submission is told, each once, without those of work not yet begun."""
    told = (
        code
        for exercise in submission.exercises
        if exercise.status not in NOT_BEGUN
        for code in exercise.findings
    )
    return list(dict.fromkeys(told))


def common_findings(submissions: Sequence[SubmissionResult]) -> list[tuple[str, int]]:
    """Give codes with the number of submissions that have them, most frequent first."""
    counts = Counter(code for each in submissions for code in findings_of(each))
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def stopped(waiting: int | None, lang: Lang) -> list[str]:
    """Say that a run was stopped before it came to some hand-ins; nothing where it was not."""
    return [ui("report.waiting", lang, count=waiting)] if waiting else []


def points(score: float) -> str:
    """Write points as a person would: ``8``, ``2.5``."""
    return f"{round(score, 2):g}"
