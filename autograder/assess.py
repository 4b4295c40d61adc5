"""Turn what was judged into a result: scores, findings, and the one sentence for each failure.

Nothing is diagnosed before a check has failed. What a learner reads here is number-free and comes
from the locale files; files, processes and pages are not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from autograder import messages
from autograder.finding import PLAIN, Finding
from autograder.grade import Outcome
from autograder.judge import Judged
from autograder.messages import Lang

if TYPE_CHECKING:  # a student's desk has words to say and no results to write
    from autograder.results import CheckResult, ExerciseResult

Diagnose = Callable[[Judged], Finding | None]
NAMES_SHOWN = 3  # of earlier exercises in one sentence; more are a list that nobody reads


@dataclass(frozen=True)
class Told:
    """What an exercise's failures come to.

    Attributes
    ----------
    codes : tuple of str
        All findings, the one that the learner is told first. Where several causes fit equally
        well, first what they have in common, then each of them.
    slots : dict
        What fills the first one's sentence.
    candidates : tuple of tuple of str
        The sets of mistakes that fit equally well, where there are several.
    more : bool
        Whether there is a second thing to tell once the first is done.
    correct_but : bool
        Whether all that failed asked for robustness only.
    unheard : bool
        Whether nothing but crashes failed: then these tell the finding, as no other check can.
    """

    codes: tuple[str, ...] = ()
    slots: Mapping[str, Any] = field(default_factory=dict)
    candidates: tuple[tuple[str, ...], ...] = ()
    more: bool = False
    correct_but: bool = False
    unheard: bool = False


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
    from autograder.results import exercise_result

    told = tell(judged, diagnose)
    checks = [_check(outcome, told, lang, graded) for outcome in judged.outcomes]
    notice = None
    if judged.followed:
        slots = {"needs": list(earlier)} if len(earlier) <= NAMES_SHOWN else {}
        notice = messages.render("FOLLOW-THROUGH", slots, lang, graded=True)
    detail = {"candidates": [list(each) for each in told.candidates]} if told.candidates else None
    return exercise_result(
        judged.exercise,
        checks,
        state=judged.state,
        findings=told.codes,
        notice=notice,
        detail=detail,
    )


def tell(judged: Judged, diagnose: Diagnose) -> Told:
    """Find what an exercise's failures come to; nothing where none failed."""
    if judged.state != "attempted" or judged.passed:
        return Told()
    finding = diagnose(judged)
    if finding is None:
        return Told(("UNKNOWN",))
    ran = [each for each in judged.outcomes if not each.passed and each.status != "skipped"]
    unheard = all(each.status == "error" for each in ran) and finding.codes[0] not in PLAIN
    if len(finding.candidates) < 2:
        # What is not recognised may be what the first does to a function that calls this one.
        more = any(code != "UNKNOWN" for code in finding.codes[1:])
        return Told(finding.codes, finding.slots, (), more, finding.correct_but, unheard)
    every = list(dict.fromkeys(code for one in finding.candidates for code in one))
    sure = [code for code in every if all(code in one for one in finding.candidates)]
    first = sure or [finding.common or "AMBIGUOUS"]
    slots = {**finding.slots, "candidates": [code for code in every if code not in sure]}
    codes = tuple(dict.fromkeys([*first, *every]))
    return Told(codes, slots, finding.candidates, bool(sure), finding.correct_but, unheard)


def _check(outcome: Outcome, told: Told, lang: Lang, graded: bool) -> CheckResult:
    from autograder.results import CheckResult

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

    A crash, a time limit and a check that did not run speak for themselves; where answers were
    compared, the finding speaks.
    """
    compared = outcome.status == "failed" and outcome.trouble is None
    # Right in the ordinary case: that it raised in the other one is the smaller news.
    robust = (told.correct_but or told.unheard) and outcome.status == "error"
    speaks = told.codes and (compared or robust)
    if not speaks or (told.codes[0] == "UNKNOWN" and outcome.code != "C-VALUES"):
        return messages.render(outcome.code or "UNKNOWN", outcome.slots, lang, graded=graded)
    slots = {**outcome.slots, **told.slots}
    if parts := slots.get("seen_parts"):
        slots["seen"] = messages.seen(parts, lang)
    first = messages.render(told.codes[0], slots, lang, graded=graded)
    if told.correct_but:
        return messages.render("CORRECT-BUT", {"first": first}, lang, graded=graded)
    return messages.render("TWO", {"first": first}, lang, graded=graded) if told.more else first
