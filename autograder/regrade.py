"""Two gradings of one class: whose score moved, in which checks, and why.

A failed regrade never erases a grade: the last good score stays beside the failure.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace

from autograder.messages import Lang, ui
from autograder.results import CheckResult, Results, SubmissionResult
from autograder.summary import points


@dataclass(frozen=True)
class MovedCheck:
    """One check whose points changed; "" stands for a check that is not in one of the two."""

    name: str
    before: str
    after: str
    change: float


@dataclass(frozen=True)
class Moved:
    """One hand-in whose score changed.

    Attributes
    ----------
    before, after : float or None
        None where there was no score.
    reasons : tuple of str
        Keys under ``[ui.regrade]``: ``hand_in``, ``graders``, ``kit``, ``seed``, ``override``,
        ``unreadable``, ``new``, ``gone``; empty where the results do not tell.
    checks : tuple of MovedCheck
    """

    id: str
    before: float | None
    after: float | None
    reasons: tuple[str, ...]
    checks: tuple[MovedCheck, ...]


def compare(old: Results, new: Results) -> list[Moved]:
    """Give the hand-ins whose score or status changed, in the new results' order."""
    before = {each.id: each for each in old.submissions}
    after = {each.id: each for each in new.submissions}
    moved = [
        found
        for each in new.submissions
        if (found := _moved(before.get(each.id), each, old, new)) is not None
    ]
    gone = [each for each in old.submissions if each.id not in after and not new.waiting]
    return moved + [Moved(each.id, each.score, None, ("gone",), ()) for each in gone]


def _moved(
    one: SubmissionResult | None, other: SubmissionResult, old: Results, new: Results
) -> Moved | None:
    if one is None:
        if old.waiting:
            return None  # that run had not come to it
        return Moved(other.id, None, other.score, ("new",), ())
    was, now = _checks(one), _checks(other)
    checks = tuple(
        MovedCheck(name, _status(was.get(name)), _status(now.get(name)), change)
        for name in {**was, **now}
        if (change := _score(now.get(name)) - _score(was.get(name)))
    )
    if not checks and one.score == other.score and one.status == other.status:
        return None
    return Moved(other.id, one.score, other.score, tuple(_why(one, other, old, new)), checks)


def _checks(submission: SubmissionResult) -> dict[str, CheckResult]:
    return {
        f"{exercise.exercise}.{check.check}": check
        for exercise in submission.exercises
        for check in exercise.checks
    }


def _status(check: CheckResult | None) -> str:
    return check.status if check else ""


def _score(check: CheckResult | None) -> float:
    return check.score if check else 0.0


def _why(
    one: SubmissionResult, other: SubmissionResult, old: Results, new: Results
) -> Iterator[str]:
    if one.digest and other.digest and one.digest != other.digest:
        yield "hand_in"
    if other.status != "graded":
        yield "unreadable"
    marks = [
        {n: c.override for n, c in _checks(each).items() if c.override} for each in (one, other)
    ]
    if marks[0] != marks[1]:
        yield "override"
    for part in ("graders", "kit", "seed"):
        was, now = old.digests.get(part), new.digests.get(part)
        if was and now and was != now:
            yield part


def _marks(submission: SubmissionResult) -> dict[str, str]:
    return {name: check.override for name, check in _checks(submission).items() if check.override}


def carry(old: Results | None, new: Results) -> Results:
    """Give the new results, with the last good score where a hand-in now has none."""
    good = {each.id: _good(each) for each in old.submissions} if old else {}
    return replace(
        new,
        submissions=tuple(
            replace(each, last_good=good[each.id])
            if each.score is None and good.get(each.id) is not None
            else each
            for each in new.submissions
        ),
    )


def _good(submission: SubmissionResult) -> float | None:
    return submission.last_good if submission.score is None else submission.score


def lines(
    moved: list[Moved],
    lang: Lang = "en",
    shown: int | None = None,
    files: tuple[str, str] = ("OLD", "NEW"),
) -> Iterator[str]:
    """Say whose score moved and why: a line a hand-in, then one a check.

    Parameters
    ----------
    shown : int, optional
        After so many hand-ins, only the number of the others and how to see them.
    files : tuple of str
        Where the two gradings stand.
    """
    key = "regrade.one" if len(moved) == 1 else "regrade.some" if moved else "regrade.none"
    yield ui(key, lang, count=len(moved))
    for each in moved[:shown]:
        why = ", ".join(ui(f"regrade.{reason}", lang) for reason in each.reasons)
        before, after = (
            ui("regrade.no_score", lang) if score is None else points(score)
            for score in (each.before, each.after)
        )
        yield f"  {each.id}: {before} → {after}" + (f" ({why})" if why else "")
        for check in each.checks:
            words = [
                ui(f"check.{status}", lang) if status else ui("regrade.absent", lang)
                for status in (check.before, check.after)
            ]
            yield f"      {check.name}: {words[0]} → {words[1]} ({check.change:+g})"
    if shown is not None and len(moved) > shown:
        old, new = map(shlex.quote, files)
        yield f"  {ui('regrade.more', lang, count=len(moved) - shown, old=old, new=new)}"
