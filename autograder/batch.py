"""Grade a class: read, judge, write; one submission after the other or several processes.

A submission that cannot be read or judged never stops the others; the kit's own fault stops
everything. Finished submissions stand in a journal beside the results, so that an interrupted
run goes on where it stopped, and a second run does only what changed.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder import __version__, messages, overrides
from autograder.assess import assess
from autograder.bank import load_bank
from autograder.diagnose import Finding, diagnose
from autograder.exercise import Kit, find_kit, given_sources, reference
from autograder.grade import Graders, KitFault, load_checks, prove, seeded
from autograder.handin import receipt_of
from autograder.journal import Journal, digests, run_digest
from autograder.judge import Judge, Judged
from autograder.messages import Lang
from autograder.overrides import Override
from autograder.record import write_whole
from autograder.regrade import Moved, carry, compare
from autograder.results import (
    Results,
    ResultsError,
    SubmissionResult,
    graded,
    not_graded,
    read,
    write_atomically,
)
from autograder.sandbox import Sandbox, SandboxFault
from autograder.submission import Found, Submission, SubmissionError, digest, find

JOURNAL, SECRET = "results.jsonl", ".attn-secret"
PREVIOUS, REPORT = "results.previous.json", "report.html"
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
    tell: Callable[[str], None] | None = None  # what was unwrapped or ignored, in words
    overrides: tuple[Override, ...] = ()
    moved: Callable[[list[Moved]], None] | None = None  # told where an earlier run stands in `out`


@dataclass
class Grader:
    """Grades submissions in this process, with one sandbox.

    Parameters
    ----------
    kit : Kit
    exercises : tuple of str
        What to grade, in course order; all where empty.
    lang : str
    secret : bytes
        Seeds the probes.
    require : str or None
        The isolation level below which to refuse.
    """

    kit: Kit
    exercises: tuple[str, ...]
    lang: Lang
    secret: bytes
    require: str | None = None
    graders: Graders = field(init=False)

    def __post_init__(self) -> None:
        chosen = self.exercises or self.kit.ids
        self.names = [(each.id, each.names) for each in self.kit.exercises]
        self.given = given_sources(self.kit)
        namespaces = reference(self.kit)
        self.graders = prove(load_checks(self.kit.graders, chosen), namespaces)
        self._banks = {each: load_bank(self.kit.mistakes, each) for each in chosen}
        self.sandbox = Sandbox(require=self.require)

    def close(self) -> None:
        """End the sandbox."""
        self.sandbox.close()

    @property
    def max_score(self) -> float:
        """The points of all chosen exercises."""
        checks = (check for some in self.graders.checks.values() for check in some)
        return sum(check.declared.points for check in checks)

    def grade(self, submission: Submission) -> SubmissionResult:
        """Grade one submission; its faults are its own, the kit's stop the run.

        Where the sandbox broke down under it, it is graded once more from the start: what an
        operator or the system killed costs nobody a point.
        """
        self.sandbox.kill_is_fault = True
        try:
            found = self._grade(submission)
        except SandboxFault:
            self.sandbox.kill_is_fault = False
            found = self._grade(submission)
        return replace(found, digest=digest(submission)[:16])

    def _grade(self, submission: Submission) -> SubmissionResult:
        start = time.perf_counter()
        if submission.status != "ok":
            code, slots = submission.reason or ("empty", {})
            notice = messages.render(f"unreadable.{code}", slots, self.lang)
            return not_graded(
                submission.id, submission.shown, submission.status, self.max_score, notice=notice
            )
        rng_for = seeded(self.secret, submission.id)
        judge = Judge(self.sandbox, self.graders, self.names, submission.files, rng_for, self.given)
        with judge:
            report = judge.student.report
            errors = [file.error for file in report.files if file.error is not None]
            readable = [e for e in errors if e[0] == "syntax"] or len(errors) < len(report.files)
            if not readable:
                kind, detail, line = errors[0]
                slots = {"file": report.files[0].name, "detail": detail, "line": line or 0}
                return not_graded(
                    submission.id,
                    submission.shown,
                    "unreadable",
                    self.max_score,
                    notice=messages.render(f"unreadable.{kind}", slots, self.lang),
                )
            judged = judge.judge()
        lacking: list[str] = []
        exercises = []
        for each in judged:
            exercises.append(assess(each, self.diagnose, self.lang, tuple(lacking)))
            if not each.passed:
                lacking.append(each.exercise)
        return graded(
            submission.id,
            submission.shown,
            exercises,
            seconds=round(time.perf_counter() - start, 4),
            notice=self._notice(submission, judge),
            printed=judge.student.prints,
            receipt=receipt_of(submission.files) if submission.packed else "",
        )

    def diagnose(self, judged: Judged) -> Finding | None:
        """Name what an exercise's failures show, by replaying its answers."""
        bank = self._banks[judged.exercise]
        return diagnose(bank, judged.trace, self.graders.everything, judged.outcomes)

    def _notice(self, submission: Submission, judge: Judge) -> str | None:
        report = judge.student.report
        told = (*submission.notices, *report.notices)
        said = [(f"notice.{code}", slots) for code, slots in told]
        for file in report.files:
            said += [(f"notice.{c}", {"file": file.name, **slots}) for c, slots in file.notices]
            if file.error is not None and file.error[0] != "syntax":
                code, _, line = file.error
                said.append((f"unreadable.{code}", {"file": file.name, "line": line}))
        if judge.student.absent:
            names = ", ".join(sorted(judge.student.absent))
            said.append(("notice.module-absent", {"names": names}))
        sentences = dict.fromkeys(messages.render(code, slots, self.lang) for code, slots in said)
        return " ".join(sentences) or None


def grade(kit: Kit, plan: Plan) -> Results:
    """Grade every submission of the plan, and write results.json and the pages.

    Raises
    ------
    SubmissionError
        Where there is nothing to grade, or an exercise does not exist.
    KitFault
        Where the kit itself fails: then no results are written.
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
    plan.out.mkdir(parents=True, exist_ok=True)
    secret = plan.secret or _secret(plan.out)
    grader = Grader(kit, chosen, plan.lang, secret, plan.require)
    try:
        isolation = (grader.sandbox.level, *grader.sandbox.layers)
        journal = Journal(
            plan.out / JOURNAL, run_digest(kit, chosen or kit.ids, plan.lang, secret), plan.force
        )
        results = []
        with journal:
            for one in _graded(kit, grader, plan, secret, found, journal):
                results.append(one)
                if plan.progress is not None:
                    plan.progress(one, len(results), len(found))
    finally:
        grader.close()
    graded_now = Results(
        __version__, isolation, tuple(results), digests=digests(kit, chosen or kit.ids, secret)
    )
    done = _kept(plan, overrides.apply(graded_now, plan.overrides))
    if plan.html:
        from autograder.export import html

        titles = {each.id: each.title_in(plan.lang) for each in kit.exercises}
        html.write_pages(done, plan.out, plan.lang, titles)
        _report(kit, plan, done)
    return done


def _kept(plan: Plan, results: Results) -> Results:
    """Write results.json; what stood there before and said otherwise stays as PREVIOUS."""
    path = plan.out / "results.json"
    try:
        old = read(path)
    except (OSError, ResultsError):
        old = None  # none, or of no use: what is new stands for itself
    done = carry(old, results)
    moved = compare(old, done) if old else []
    if moved:
        write_whole(plan.out / PREVIOUS, path.read_bytes())
    write_atomically(path, done)
    if old is not None and plan.moved is not None:
        plan.moved(moved)
    return done


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
    try:
        return path.read_bytes()
    except FileNotFoundError:
        made = secrets.token_hex(32).encode()
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(made)
        return made


def _graded(
    kit: Kit, grader: Grader, plan: Plan, secret: bytes, found: Sequence[Found], journal: Journal
) -> Iterator[SubmissionResult]:
    """Give every submission's result in order, from the journal where nothing changed."""
    if plan.jobs == 1 or len(found) < 2:
        for one in found:
            submission = one.read()
            key = journal.key(submission)
            known = journal.get(key)
            if known is None:
                known = grader.grade(submission)
                journal.add(key, known)
            yield known
        return
    context = multiprocessing.get_context("spawn")
    settings = (kit.root, grader.exercises, plan.lang, secret, plan.require)
    pool = ProcessPoolExecutor(
        min(plan.jobs, len(found)), mp_context=context, initializer=_start, initargs=settings
    )
    with pool:
        try:
            yield from _shared(pool, found, journal)
        except BrokenProcessPool as error:
            raise KitFault("a grading process ended by itself") from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _shared(
    pool: ProcessPoolExecutor, found: Sequence[Found], journal: Journal
) -> Iterator[SubmissionResult]:
    waiting: list[tuple[str, Callable[[], SubmissionResult]]] = []
    for one in found:
        submission = one.read()
        key = journal.key(submission)
        known = journal.get(key)
        result = (
            functools.partial(_same, known) if known else pool.submit(_grade, submission).result
        )
        waiting.append((key if known is None else "", result))
        if len(waiting) >= 64:
            yield _take(waiting.pop(0), journal)
    while waiting:
        yield _take(waiting.pop(0), journal)


def _same(result: SubmissionResult) -> SubmissionResult:
    return result


def _take(
    waiting: tuple[str, Callable[[], SubmissionResult]], journal: Journal
) -> SubmissionResult:
    key, result = waiting
    done = result()
    if key:
        journal.add(key, done)
    return done


_here: Mapping[str, Grader] = {}


def _start(
    root: Path, exercises: tuple[str, ...], lang: Lang, secret: bytes, require: str | None
) -> None:
    global _here
    _here = {"grader": Grader(find_kit(root), exercises, lang, secret, require)}


def _grade(submission: Submission) -> SubmissionResult:
    return _here["grader"].grade(submission)
