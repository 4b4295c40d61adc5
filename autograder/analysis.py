"""What a class's results say together: scores, exercises, misconceptions, what needs a look.

Counts only; how it is laid out stands with each page. Students are ids here, never names, and
may be numbered instead.
"""

from __future__ import annotations

import hashlib
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.quizbook import Counted
from autograder.results import ExerciseResult, Results, SubmissionResult
from autograder.summary import NOT_BEGUN, Look, exercises_of, looks

BINS = 10
FEWEST = 10  # hand-ins below which a correlation says nothing
# What a run came to, not what a learner thinks: told with what needs a look.
OF_THE_RUN = ("C-RAISED", "C-SYNTAX", "C-TIMEOUT", "C-DIED", "C-REFUSED", "C-STUB", "C-NAME")


@dataclass(frozen=True)
class Bin:
    """Hand-ins whose score lies from `low` to below `high` percent; the last is full marks."""

    low: int
    high: int
    count: int


@dataclass(frozen=True)
class Item:
    """One exercise in the class.

    Attributes
    ----------
    exercise : str
    max_score, mean : float
    count, begun, passed : int
        Graded hand-ins; those with something written; those with full marks.
    discrimination : float or None
        Point-biserial correlation of full marks here with the points of all other exercises,
        -1 to 1; None where everybody or nobody has full marks, or the class is small.
    """

    exercise: str
    max_score: float
    mean: float
    count: int
    begun: int
    passed: int
    discrimination: float | None


@dataclass(frozen=True)
class Misconception:
    """A code with the students whose numbers it explains."""

    code: str
    students: tuple[str, ...]
    exercises: tuple[str, ...]


@dataclass(frozen=True)
class Unknown:
    """Hand-ins that fail the same checks of an exercise, and nothing known explains them."""

    exercise: str
    checks: tuple[str, ...]
    students: tuple[str, ...]


@dataclass(frozen=True)
class Analysis:
    """A class in numbers.

    Attributes
    ----------
    counts : dict
        ``graded``, ``unreadable``, ``empty`` and the sum ``total``.
    mean, median, deviation : float or None
        Of the scores.
    max_score : float
    bins, items, misconceptions, unknown : tuple
    failed, named, of_the_run : int
        Exercises begun and not passed; those that a known misconception explains; those that
        stopped, ran too long or gave the wrong kind of thing. The others are unexplained.
    troubles : tuple of (str, Look)
    absent, strangers : tuple of str
        On the class list without a hand-in; hand-ins of nobody on it.
    late : tuple of str
    waiting : int
        Hand-ins that the run had not come to when it was stopped.
    quiz : tuple of Counted
        Each question with its first answers; empty where none came in.
    """

    counts: Mapping[str, int]
    mean: float | None
    median: float | None
    deviation: float | None
    max_score: float
    bins: tuple[Bin, ...]
    items: tuple[Item, ...]
    misconceptions: tuple[Misconception, ...]
    unknown: tuple[Unknown, ...]
    failed: int
    named: int
    of_the_run: int
    troubles: tuple[tuple[str, Look], ...]
    absent: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    quiz: tuple[Counted, ...] = ()
    waiting: int = 0

    @property
    def unexplained(self) -> float:
        """The share of exercises begun and not passed that nothing explains."""
        return (self.failed - self.named - self.of_the_run) / self.failed if self.failed else 0.0


def analyse(
    results: Results,
    *,
    listed: Sequence[str] | None = None,
    late: Iterable[str] = (),
    quiz: Iterable[Counted] = (),
    anonymise: bool = False,
) -> Analysis:
    """Count a class.

    Parameters
    ----------
    results : Results
    listed : sequence of str, optional
        The ids of the class list.
    late : iterable of str
        The ids of those who handed in late.
    quiz : iterable of Counted
        What was counted of the quiz.
    anonymise : bool
        Number the students, and leave out what they may have written themselves.
    """
    late = tuple(late)
    called = _Names(results, (*(listed or ()), *late), anonymise)
    submissions = results.submissions
    scored = [each for each in submissions if each.score is not None]
    scores = [each.score for each in scored if each.score is not None]
    statuses = [each.status for each in submissions]
    tried = [(sub, each) for sub in scored for each in sub.exercises if _lost(each)]
    told = [counted(each) for _, each in tried]
    handed = {each.id for each in submissions}
    return Analysis(
        counts={
            "total": len(submissions),
            **{each: statuses.count(each) for each in ("graded", "unreadable", "empty")},
        },
        mean=statistics.fmean(scores) if scores else None,
        median=statistics.median(scores) if scores else None,
        deviation=statistics.pstdev(scores) if scores else None,
        max_score=max((each.max_score for each in submissions), default=0.0),
        bins=_bins(scored),
        items=tuple(
            _item(scored, exercise, worth) for exercise, worth in exercises_of(scored).items()
        ),
        misconceptions=_misconceptions(tried, called),
        unknown=_unknown(tried, called),
        failed=len(tried),
        named=sum(any(map(_is_misconception, codes)) for codes in told),
        of_the_run=sum(
            bool(codes) and "UNKNOWN" not in codes and not any(map(_is_misconception, codes))
            for codes in told
        ),
        troubles=tuple(
            sorted(
                (
                    (called(sub.id), replace(look, said="") if _theirs(look, anonymise) else look)
                    for sub in submissions
                    for look in looks(sub)
                ),
                key=lambda each: each[0] if anonymise else "",
            )
        ),
        absent=called.all(each for each in listed or () if each not in handed),
        strangers=called.all(handed - set(listed) if listed is not None else ()),
        late=called.all(late),
        quiz=tuple(each for each in quiz if each.answered),
        waiting=results.waiting or 0,
    )


def counted(exercise: ExerciseResult) -> tuple[str, ...]:
    """Give the codes that an exercise counts for: of rivals that fit alike, what is sure."""
    rivals = (exercise.detail or {}).get("candidates")
    if not rivals:
        return exercise.findings
    sure = [code for code in exercise.findings if all(code in each for each in rivals)]
    return tuple(sure) or exercise.findings[:1]


class _Names:
    """What students are called: their ids, or numbers in an order that tells nothing.

    Who has the class list cannot find the order from it: it follows from the results too. It is
    the same at every report of the same results.
    """

    def __init__(self, results: Results, others: Sequence[str], anonymise: bool) -> None:
        self._number: dict[str, str] = {}
        if anonymise:
            seed = hashlib.sha256()
            for each in results.submissions:
                known = f"{each.id}\0{each.score}\0{each.seconds}\0{each.digest}\0"
                seed.update(known.encode("utf-8", "surrogatepass"))
            key = seed.digest()
            mixed = sorted(
                {each.id for each in results.submissions} | set(others),
                key=lambda id: hashlib.sha256(key + id.encode("utf-8", "surrogatepass")).digest(),
            )
            self._number = {each: f"#{place:03d}" for place, each in enumerate(mixed, 1)}

    def __call__(self, id: str) -> str:
        return self._number.get(id, id)

    def all(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Call several, in an order that does not give their numbers away."""
        return tuple(sorted(map(self, ids)))


def _theirs(look: Look, anonymise: bool) -> bool:
    """Whether a notice may hold a file's name, which may hold the student's."""
    return anonymise and look.kind == "submission"


def _lost(exercise: ExerciseResult) -> bool:
    return exercise.status != "passed" and exercise.status not in NOT_BEGUN


def _is_misconception(code: str) -> bool:
    return code != "UNKNOWN" and not code.startswith("C-")


def _bins(scored: Sequence[SubmissionResult]) -> tuple[Bin, ...]:
    counts = [0] * (BINS + 1)
    for each in scored:
        share = (each.score or 0.0) / each.max_score if each.max_score else 0.0
        counts[min(BINS, math.floor(share * BINS + 1e-9))] += 1
    width = 100 // BINS
    return tuple(
        Bin(place * width, min(100, (place + 1) * width), count)
        for place, count in enumerate(counts)
    )


def _item(scored: Sequence[SubmissionResult], exercise: str, worth: float) -> Item:
    pairs = [(sub, each) for sub in scored for each in sub.exercises if each.exercise == exercise]
    full = [each.status == "passed" for _, each in pairs]
    rest = [(sub.score or 0.0) - each.score for sub, each in pairs]
    return Item(
        exercise=exercise,
        max_score=worth,
        mean=statistics.fmean(each.score for _, each in pairs),
        count=len(pairs),
        begun=sum(each.status not in NOT_BEGUN for _, each in pairs),
        passed=sum(full),
        discrimination=point_biserial(full, rest),
    )


def point_biserial(right: Sequence[bool], scores: Sequence[float]) -> float | None:
    """Correlate a yes or no with scores; None where there is nothing to tell."""
    spread = statistics.pstdev(scores) if scores else 0.0
    if len(scores) < FEWEST or len(set(right)) < 2 or spread < 1e-9:
        return None
    share = sum(right) / len(right)
    means = [
        statistics.fmean(s for s, yes in zip(scores, right, strict=True) if yes is which)
        for which in (True, False)
    ]
    return (means[0] - means[1]) / spread * math.sqrt(share * (1 - share))


Tried = Sequence[tuple[SubmissionResult, ExerciseResult]]


def _misconceptions(tried: Tried, called: _Names) -> tuple[Misconception, ...]:
    students: dict[str, dict[str, None]] = {}
    exercises: dict[str, Counter[str]] = {}
    for submission, exercise in tried:
        for code in counted(exercise):
            if code == "UNKNOWN" or code in OF_THE_RUN:
                continue
            students.setdefault(code, {})[called(submission.id)] = None
            exercises.setdefault(code, Counter())[exercise.exercise] += 1
    found = (
        Misconception(
            c, tuple(sorted(students[c])), tuple(e for e, _ in exercises[c].most_common())
        )
        for c in students
    )
    return tuple(sorted(found, key=lambda each: (-len(each.students), each.code)))


def _unknown(tried: Tried, called: _Names) -> tuple[Unknown, ...]:
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for submission, exercise in tried:
        if "UNKNOWN" in exercise.findings:
            lost = tuple(
                check.title
                for check in exercise.checks
                if check.status not in ("passed", "skipped")
            )
            groups.setdefault((exercise.exercise, lost), []).append(called(submission.id))
    found = (Unknown(key[0], key[1], tuple(sorted(ids))) for key, ids in groups.items())
    return tuple(sorted(found, key=lambda each: (-len(each.students), each.exercise)))
