"""What becomes of an exercise whose work a forbidden shortcut did: words, and points taken off.

A course's policy, told by the exercise's header. What was noticed comes from the worker, so it can
be incomplete, and it counts only as far as the header names it: a score can go down here, to 0 at
most, and never up. How a shortcut is noticed is not known here.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from autograder import messages
from autograder.messages import Lang

if TYPE_CHECKING:  # a student's desk says what was noticed, and has no results
    from autograder.answers import Shortcut
    from autograder.forbidden import Forbidden
    from autograder.results import CheckResult, ExerciseResult

FINDING = "FORBIDDEN"


@dataclass(frozen=True)
class Noticed:
    """What one exercise's code took of what it is to be solved without.

    Attributes
    ----------
    used : tuple of str
        Called while one of its functions answered.
    asked : tuple of str
        Asked for, and not there.
    """

    used: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()

    @classmethod
    def of(cls, exercise: str, names: Sequence[str], shortcuts: Collection[Shortcut]) -> Noticed:
        """Pick what concerns one exercise, in the order of its header."""
        used = tuple(name for name in names if (exercise, name, "used") in shortcuts)
        asked = (name for name in names if (exercise, name, "asked") in shortcuts)
        return cls(used, tuple(name for name in asked if name not in used))

    def cost(self, rule: Forbidden, score: float) -> float:
        """Give the points that it takes off a score."""
        return min(rule.cost, score) if self.used else 0.0

    def words(self, lang: Lang, taken: float = 0.0) -> str:
        """Say what was noticed, and what it cost; nothing where it is nothing."""
        if not (self.used or self.asked):
            return ""
        from autograder.summary import points

        said: list[str] = []
        if self.used:
            key = "notice.forbidden-cost" if taken else "notice.forbidden"
            slots = {"names": ", ".join(self.used), "points": points(taken)}
            said.append(messages.render(key, slots, lang))
        if self.asked:
            slots = {"names": ", ".join(self.asked)}
            said.append(messages.render("notice.forbidden-asked", slots, lang))
        return " ".join(said)


NOTHING = Noticed()


def hold(
    found: ExerciseResult, forbidden: Forbidden, shortcuts: Collection[Shortcut], lang: Lang
) -> ExerciseResult:
    """Hold one exercise's result to its policy.

    Points are taken off its passed checks, from the last one on, so that every sum holds.
    """
    from autograder.results import exercise_result

    noticed = Noticed.of(found.exercise, forbidden.names, shortcuts)
    if not (noticed.used or noticed.asked) or found.status in ("missing", "not_attempted"):
        return found
    left = taken = noticed.cost(forbidden, found.score)
    checks: list[CheckResult] = []
    for check in reversed(found.checks):
        share = min(left, check.score)
        left -= share
        checks.append(_without(check, share, lang) if share > 0 else check)
    said = [found.notice] if found.notice else []
    findings = (*found.findings, FINDING) if noticed.used else found.findings
    return exercise_result(
        found.exercise,
        checks[::-1],
        findings=findings,
        notice=" ".join([*said, noticed.words(lang, taken)]),
        detail=found.detail,
    )


def _without(check: CheckResult, share: float, lang: Lang) -> CheckResult:
    from autograder.summary import points

    slots = {"points": points(share)}
    return replace(
        check,
        score=check.max_score - share,
        taken=share,
        message=messages.render("notice.forbidden-check", slots, lang),
        finding=FINDING,
    )


__all__ = ["FINDING", "NOTHING", "Noticed", "hold"]
