"""Turn what was judged into a result: scores, findings, and the one sentence for each failure.

Nothing is diagnosed before a check has failed. What a learner reads here is number-free and comes
from the locale files; files, processes and pages are not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder import messages
from autograder.diagnose import Finding
from autograder.grade import Outcome
from autograder.judge import Judged
from autograder.messages import Lang
from autograder.results import CheckResult, ExerciseResult, exercise_result

Diagnose = Callable[[Judged], Finding | None]

# Codes that say what was seen rather than which mistake gives it: a diagnosis may say more.
GENERIC = frozenset({"C-VALUES", "C-ROWSUM", "C-NEGATIVE", "C-CLOSED", "C-RAISED"})


@dataclass(frozen=True)
class Told:
    """What an exercise's failures come to.

    Attributes
    ----------
    codes : tuple of str
        All findings, the one that the learner is told first.
    slots : dict
        What fills the first one's sentence.
    candidates : tuple of str
        Several codes that fit equally well; then none of them is a finding.
    correct_but : bool
        Whether all that failed asked for robustness only.
    """

    codes: tuple[str, ...] = ()
    slots: Mapping[str, Any] | None = None
    candidates: tuple[str, ...] = ()
    correct_but: bool = False


def assess(
    judged: Judged,
    diagnose: Diagnose,
    lang: Lang,
    earlier: Sequence[str],
    *,
    graded: bool = True,
) -> ExerciseResult:
    """Give the result of one judged exercise.

    Parameters
    ----------
    judged : Judged
    diagnose : callable
        Asked only where a check of an attempted exercise has failed.
    lang : str
    earlier : sequence of str
        The earlier exercises that were given where it was followed through.
    graded : bool
        Without numbers; a self-check may quote the student's own.
    """
    told = Told()
    if judged.state == "attempted" and not judged.passed:
        told = tell(judged, diagnose)
    checks = [_check(outcome, told, lang, graded) for outcome in judged.outcomes]
    notice = None
    if judged.followed:
        notice = messages.render("FOLLOW-THROUGH", {"needs": list(earlier)}, lang, graded=True)
    detail = {"candidates": list(told.candidates)} if told.candidates else None
    return exercise_result(
        judged.exercise,
        checks,
        state=judged.state,
        findings=told.codes,
        notice=notice,
        detail=detail,
    )


def tell(judged: Judged, diagnose: Diagnose) -> Told:
    """Find what an exercise's failures come to, most telling first."""
    missed = [each for each in judged.outcomes if each.status not in ("passed", "skipped")]
    robust = all(each.check.declared.robustness for each in missed)
    finding = diagnose(judged)
    if finding is not None and finding.codes:
        return Told(finding.codes, finding.slots, correct_but=robust)
    if finding is not None and finding.candidates:
        every = sorted({code for one in finding.candidates for code in one})
        return Told((finding.common or "AMBIGUOUS",), finding.slots, tuple(every), robust)
    if robust:
        codes = (each.check.declared.robustness or "" for each in missed)
        return Told(tuple(dict.fromkeys(codes)), None, correct_but=True)
    seen = [each for each in missed if each.code and each.code not in GENERIC]
    if seen:
        return Told((messages.specific(seen[0].code or "", seen[0].slots),), seen[0].slots)
    raised = [each for each in missed if each.trouble is not None]
    if raised and len(raised) == len(missed):
        return Told((messages.specific("C-RAISED", raised[0].slots),), raised[0].slots)
    return Told(("UNKNOWN",), finding.slots if finding is not None else None)


def _check(outcome: Outcome, told: Told, lang: Lang, graded: bool) -> CheckResult:
    declared = outcome.check.declared
    message = finding = None
    if not outcome.passed:
        message = sentence(outcome, told, lang, graded=graded)
        finding = told.codes[0] if told.codes and outcome.status != "skipped" else None
    return CheckResult(
        check=outcome.check.name,
        title=outcome.check.title,
        status=outcome.status,  # type: ignore[arg-type]
        score=outcome.score,
        max_score=declared.points,
        message=message,
        finding=finding,
    )


def sentence(outcome: Outcome, told: Told, lang: Lang, *, graded: bool) -> str:
    """Give the one sentence for a check that did not pass.

    A crash, a time limit and a check that did not run speak for themselves; where numbers were
    compared, the finding speaks.
    """
    own = (outcome.code or "UNKNOWN", dict(outcome.slots))
    speaks = outcome.status == "failed" and outcome.trouble is None and told.codes
    if not speaks or (told.codes[0] == "UNKNOWN" and outcome.code not in (None, "UNKNOWN")):
        return messages.render(*own, lang, graded=graded)
    slots = {**dict(outcome.slots), **dict(told.slots or {})}
    if told.candidates:
        slots["candidates"] = list(told.candidates)
    first = messages.render(told.codes[0], slots, lang, graded=graded)
    if told.correct_but:
        return messages.render("CORRECT-BUT", {"first": first}, lang, graded=graded)
    if len(told.codes) > 1:
        return messages.render("TWO", {"first": first}, lang, graded=graded)
    return first
