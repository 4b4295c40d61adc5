"""Words for the student's desk: what the visible checks found, as lines of text and as results.

Colour and pictures stand elsewhere; every verdict is a word here. At her own desk a sentence may
quote the student's own numbers. The module knows nothing of folders.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from autograder import __version__, assess, messages
from autograder.finding import Finding
from autograder.grade import Outcome
from autograder.judge import Judged
from autograder.messages import Lang, render, ui
from autograder.policy import NOTHING, Noticed

if TYPE_CHECKING:
    from autograder.results import ExerciseResult, Results

State = Literal["not_started", "not_yet", "correct", "correct_but"]


@dataclass(frozen=True)
class Verdict:
    """One exercise as its student is told of it.

    Attributes
    ----------
    judged : Judged
    finding : Finding or None
        What a diagnosis found; None where it was not asked, or found nothing.
    place : int or None
        The line of the placeholder in the exercise's file, where it is still there.
    noticed : Noticed
        What it took of what the exercise is to be solved without; told in words here.
    aside : tuple of (str, dict)
        What was set aside while its file ran; see `autograder.aside`.
    """

    judged: Judged
    finding: Finding | None = None
    place: int | None = None
    noticed: Noticed = NOTHING
    aside: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    @cached_property
    def told(self) -> assess.Told:
        """What the exercise's failures come to."""
        return assess.tell(self.judged, lambda _: self.finding or self._seen)

    @property
    def _seen(self) -> Finding:
        """What the checks saw by themselves, where no diagnosis says more."""
        missed = [each for each in self.judged.outcomes if each.status not in ("passed", "skipped")]
        robust = all(each.check.declared.robustness for each in missed)
        return Finding((missed[0].code or "UNKNOWN",), correct_but=robust)

    @property
    def exercise(self) -> str:
        """The exercise's id."""
        return self.judged.exercise

    @property
    def passed(self) -> bool:
        """Whether all self-checks pass."""
        return self.judged.passed

    @property
    def state(self) -> State:
        """Which of the four states the exercise is in."""
        if self.judged.state != "attempted":
            return "not_started"
        if self.passed:
            return "correct"
        return "correct_but" if self.told.correct_but else "not_yet"

    def sentence(self, outcome: Outcome, lang: Lang = "en") -> str:
        """Give what is said of one check that did not pass: one line, no traceback."""
        if outcome.code == "C-STUB" and self.place is not None:
            slots = {"file": f"{self.exercise}.py", "line": self.place}
            outcome = replace(outcome, slots={**outcome.slots, **slots})
        if self.finding is not None or outcome.code is None:
            return assess.sentence(outcome, self.told, lang, graded=False)
        own = render(outcome.code, outcome.slots, lang)
        wrapped = self.told.correct_but and outcome.status != "skipped"
        return render("CORRECT-BUT", {"first": own}, lang) if wrapped else own

    def beside(self, lang: Lang = "en") -> str:
        """Say what is no check's: what it took, and what was set aside."""
        lines = [render(f"notice.{code}", slots, lang) for code, slots in self.aside]
        return " ".join(filter(None, [self.noticed.words(lang), *lines]))

    def result(self, lang: Lang = "en") -> ExerciseResult:
        """Give the verdict as results have it."""
        found = assess.assess(self.judged, lambda _: self.finding or self._seen, lang, ())
        checks = (
            replace(each, message=None if outcome.passed else self.sentence(outcome, lang))
            for each, outcome in zip(found.checks, self.judged.outcomes, strict=True)
        )
        words = self.beside(lang)
        return replace(found, checks=tuple(checks), notice=words or found.notice)


def lines(found: Verdict, about: Mapping[str, Any], lang: Lang = "en") -> Iterator[str]:
    """Give one exercise's verdict, then each check; a sentence that many share is said once."""
    title = about["title_zh"] if lang == "zh" and about.get("title_zh") else about["title"]
    colon = "：" if lang == "zh" else ": "
    yield f"{found.exercise} · {title}{colon}{ui(f'desk.{found.state}', lang)}"
    outcomes = found.judged.outcomes
    if found.state == "not_started":
        yield f"  {found.sentence(outcomes[0], lang)}"
        return
    said: set[str] = set()
    for outcome in outcomes:
        title = messages.title(outcome.check.title, lang)
        yield f"  [{ui(f'check.{outcome.status}', lang)}] {title}"
        words = "" if outcome.passed else found.sentence(outcome, lang)
        if words and words not in said:
            said.add(words)
            yield f"      {words}"
    if words := found.beside(lang):
        yield f"  {words}"


def summary(found: Sequence[Verdict], lang: Lang = "en", hidden: int = 0) -> str:
    """Give the last line: how many exercises pass all their self-checks.

    Where all do, it says that these are not all the checks there are: `hidden` more are graded.
    """
    done = sum(each.passed for each in found)
    key = "some" if done < len(found) else "all_public" if hidden else "all"
    return ui(f"desk.{key}", lang, done=done, count=len(found), hidden=hidden)


def results(
    found: Sequence[Verdict],
    *,
    id: str,
    files: Sequence[str],
    isolation: Sequence[str],
    seconds: float = 0.0,
    lang: Lang = "en",
) -> Results:
    """Give the verdicts as one hand-in's results; points are those of the visible checks."""
    from autograder.results import Results, graded

    exercises = [each.result(lang) for each in found]
    whole = graded(id, files, exercises, seconds=round(seconds, 4))
    return Results(__version__, tuple(isolation), (whole,))
