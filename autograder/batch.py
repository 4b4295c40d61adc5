"""Grade a class: find, hand out, write what comes back.

A submission that cannot be read or judged never stops the others; the kit's own fault stops
everything. Finished submissions stand in a journal beside the results, so that an interrupted
run goes on where it stopped, and a second run does only what changed.
"""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from autograder import __version__, leftovers, messages, overrides
from autograder.crew import LANES, Alone, Crew
from autograder.exercise import Kit
from autograder.grader import Grader, Recipe
from autograder.journal import Journal, digests, run_digest
from autograder.messages import Lang
from autograder.overrides import Override, OverrideError
from autograder.packed import Packed, read_results
from autograder.record import clear, told_as, write_whole
from autograder.regrade import Moved, carry, compare
from autograder.results import Results, ResultsError, SubmissionResult, write_atomically
from autograder.submission import Found, Submission, SubmissionError, find

__all__ = ["Grader", "Interrupted", "PagesFault", "Plan", "grade", "troubled"]

JOURNAL, SECRET = "results.jsonl", ".attn-secret"
PREVIOUS, DAMAGED = "results.previous.json", "results.damaged.json"
REPORT, PAGES = "report.html", "students"
Progress = Callable[[SubmissionResult, int, int], None]


@dataclass(frozen=True)
class Plan:
    """What one run of `attn grade` is to do."""

    paths: tuple[Path, ...]
    out: Path
    exercises: tuple[str, ...] = ()
    jobs: int = 1
    require: str | None = None
    html: bool = True
    force: bool = False
    lang: Lang = "en"
    secret: bytes | None = None
    progress: Progress | None = None
    known: Progress | None = None  # told instead of what is taken over from an earlier run
    tell: Callable[[str], None] | None = None  # what was unwrapped or ignored, in words
    overrides: tuple[Override, ...] = ()
    cluster: str | None = (
        None  # address of a scheduler whose workers grade, instead of this machine
    )
    lanes: int = LANES  # submissions in flight in each grading process
    moved: Callable[[list[Moved]], None] | None = None  # told where an earlier run stands in `out`


def grade(kit: Kit, plan: Plan) -> Results:
    """Grade every submission of the plan, and write results.json and the pages.

    Raises
    ------
    SubmissionError
        Where there is nothing to grade, or an exercise does not exist.
    KitFault
        Where the kit itself fails: then no results are written.
    PagesFault
        Where only the pages could not be written.
    Interrupted
        Where the user stopped it: what was done by then is written.
    """
    unknown = [each for each in plan.exercises if each not in kit.ids]
    if unknown:
        raise SubmissionError(
            f"There is no exercise {unknown[0]!r}; there are: {', '.join(kit.ids)}."
        )
    chosen = tuple(each for each in kit.ids if each in plan.exercises)
    found, told = find(plan.paths, kit.ids)
    if plan.tell is not None:
        for code, slots in told:
            plan.tell(messages.render(f"notice.{code}", slots, plan.lang))
    overrides.foresee(plan.overrides, (each.id for each in found), chosen or kit.ids)
    plan.out.mkdir(parents=True, exist_ok=True)
    for folder in (plan.out, plan.out / PAGES):
        clear(folder)
    secret = plan.secret or _secret(plan.out)
    recipe = Recipe.of(kit, chosen, plan.lang, secret, plan.require)
    pages = _Pages(plan, {each.id: each.title_in(plan.lang) for each in kit.exercises})
    hands = _hands(recipe, plan, len(found), pages)
    run = _Run(plan, found, pages)
    whole = True
    try:
        path = plan.out / JOURNAL
        with Journal(
            path, run_digest(kit, chosen or kit.ids, plan.lang, secret), plan.force
        ) as journal:
            run.go(hands, journal)
    except KeyboardInterrupt:
        whole = False
    finally:
        hands.close()
    graded_now = Results(
        __version__,
        hands.isolation,
        run.results,
        digests=digests(kit, chosen or kit.ids, secret),
        waiting=len(found) - len(run.results) or None,
    )
    done = _kept(plan, _marked(plan, graded_now))
    if plan.html and done.submissions:
        try:
            pages.rest(done, run.pages)
            _report(kit, plan, done)
        except OSError as error:
            raise PagesFault(f"results.json is written, its pages are not: {error}") from error
    if not whole:
        raise Interrupted(done, len(found), plan)
    return done


def _marked(plan: Plan, results: Results) -> Results:
    """Set the marks given by hand, once everybody is there."""
    try:
        return overrides.apply(results, () if results.waiting else plan.overrides)
    except OverrideError as error:
        way = "What is graded is kept: mend the table, and the same command writes results.json."
        raise OverrideError(f"{error} {way}") from error


class PagesFault(Exception):
    """Scores are written, and what shows them could not be."""

    scores_stand = True


class Interrupted(Exception):
    """The run was stopped; what was done by then is written, and the next run goes on from it."""

    def __init__(self, results: Results, wanted: int, plan: Plan) -> None:
        key = "report.stopped_forced" if plan.force else "report.stopped"
        done = len(results.submissions)
        super().__init__(messages.ui(key, plan.lang, done=done, wanted=wanted))
        self.results = results


class Hands(Protocol):
    """Whoever grades: this process, several, or a cluster."""

    @property
    def isolation(self) -> tuple[str, ...]: ...
    def run(self, work: Iterable[tuple[int, Submission]]) -> Iterator[tuple[int, Packed]]: ...
    def close(self) -> None: ...


def _hands(recipe: Recipe, plan: Plan, count: int, pages: _Pages) -> Hands:
    finish = pages if plan.html else None
    if plan.cluster is not None:
        from autograder.cluster import Cluster

        return Cluster(recipe, plan.cluster, plan.lanes, count)
    if plan.jobs == 1 or count < 2:
        return Alone(recipe, plan.lanes if count > 1 else 1, finish)
    return Crew(recipe, min(plan.jobs, count), plan.lanes, finish)


@dataclass
class _Pages:
    """Writes a student's page when its result is there."""

    plan: Plan
    titles: dict[str, str]

    def __call__(self, result: SubmissionResult) -> None:
        from autograder.export import html

        meta = html.Meta(__version__, self.titles, html.now())
        html.write_student_page(result, meta, self.plan.out, self.plan.lang)

    def __getstate__(self) -> dict[str, Any]:
        bare = Plan(self.plan.paths, self.plan.out, lang=self.plan.lang)
        return {"plan": bare, "titles": self.titles}

    def rest(self, results: Results, written: Mapping[str, SubmissionResult]) -> None:
        """Write the pages that are not there yet, or no longer true, and the class page."""
        from autograder.export import html

        for each in results.submissions:
            if written.get(each.id) != each:
                self(each)
        html.write_index(results, self.plan.out, self.plan.lang)


class _Run:
    """One run's results as they come, each in its submission's place."""

    def __init__(self, plan: Plan, found: Sequence[Found], pages: _Pages) -> None:
        self._plan, self._found, self._pages = plan, found, pages
        self._results: list[SubmissionResult | None] = [None] * len(found)
        self._keys: dict[int, str] = {}
        self._journal: Journal
        self.done = 0
        self.pages: dict[str, SubmissionResult] = {}  # what was written as a page in this run

    @property
    def results(self) -> tuple[SubmissionResult, ...]:
        """What is there, in the order of the submissions."""
        return tuple(each for each in self._results if each is not None)

    def go(self, hands: Hands, journal: Journal) -> None:
        """Grade what the journal does not hold."""
        self._journal = journal
        for place, packed in hands.run(self._work()):
            result = journal.add(self._keys.pop(place), packed)
            if self._plan.html:
                if self._plan.cluster is not None:
                    self._pages(result)
                self.pages[result.id] = result
            self._note(place, result)

    def _work(self) -> Iterator[tuple[int, Submission]]:
        for place, one in enumerate(self._found):
            submission = one.read()
            key = self._journal.key(submission)
            known = self._journal.get(key)
            if known is not None:
                self._note(place, known, self._plan.known)
            else:
                self._keys[place] = key
                yield place, submission

    def _note(self, place: int, result: SubmissionResult, tell: Progress | None = None) -> None:
        self._results[place] = result
        self.done += 1
        if tell := tell or self._plan.progress:
            tell(result, self.done, len(self._found))


def _kept(plan: Plan, results: Results) -> Results:
    """Write results.json; what stood there before and said otherwise stays as PREVIOUS.

    A stopped run's results are compared with nothing, and nothing with them: the last whole run
    stays as PREVIOUS until another one is whole. A run that was stopped before its first result
    leaves what was there.
    """
    path, kept = plan.out / "results.json", plan.out / PREVIOUS
    if results.waiting and not results.submissions:
        return results
    try:
        last = read_results(path)
    except OSError:
        last = None
    except ResultsError as error:
        last = None
        write_whole(plan.out / DAMAGED, path.read_bytes())
        if plan.tell is not None:
            plan.tell(messages.ui("report.damaged", plan.lang, why=str(error), kept=DAMAGED))
    before = _earlier(kept) if last is not None and last.waiting else last
    done = carry(last, carry(before, results))
    moved = compare(before, done) if before and not done.waiting else []
    if last is not None and last is before and (moved or done.waiting):
        write_whole(kept, path.read_bytes())
    write_atomically(path, done)
    if before is not None and not done.waiting and plan.moved is not None:
        plan.moved(moved)
    return done


def _earlier(path: Path) -> Results | None:
    try:
        return read_results(path)
    except (OSError, ResultsError):
        return None  # none, or of no use: what is new stands for itself


def _report(kit: Kit, plan: Plan, results: Results) -> None:
    from autograder.analysis import analyse
    from autograder.export.lecture_page import report_page
    from autograder.rehearse import Stage

    page = report_page(analyse(results), results.kit, plan.lang, Stage(kit).contrast)
    write_whole(plan.out / REPORT, page.encode("utf-8"), durable=False)


def troubled(results: Results) -> list[SubmissionResult]:
    """Give the submissions that could not be graded."""
    return [each for each in results.submissions if each.status != "graded"]


def _secret(out: Path) -> bytes:
    """Take the secret from ``ATTN_SECRET``, else from the output folder, else make one there."""
    told = os.environ.get("ATTN_SECRET")
    if told:
        return told.encode("utf-8", "surrogateescape")
    path = out / SECRET
    with suppress(FileNotFoundError):
        if found := path.read_bytes():
            return found
        path.unlink()  # a run that was killed, or a full disk, left it empty: nobody has used it
    with told_as(path):
        return _made(path)


def _made(path: Path) -> bytes:
    """Make a secret and put it in place whole, unless another run beside this one was first."""
    made = secrets.token_hex(32).encode()
    descriptor, name = tempfile.mkstemp(prefix=f"{SECRET}.", suffix=".new", dir=path.parent)  # 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            leftovers.hold(file.fileno())
            file.write(made)
        try:
            os.link(name, path)
        except FileExistsError:
            pass
        except OSError:  # a disk without links
            Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)
    return path.read_bytes()
