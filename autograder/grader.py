"""One grading process: the proved graders, a sandbox, and what becomes of each hand-in.

Several threads may grade at once with one `Grader`, so that a hand-in that hangs keeps nobody
waiting. Where hand-ins come from and where results go is not known here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from autograder import aside, messages, policy, quizbook
from autograder.answers import SOLUTIONS
from autograder.assess import assess
from autograder.bank import bank_from_text, load_bank
from autograder.boot import Limits
from autograder.check import points_of
from autograder.diagnose import Finding, diagnose
from autograder.exercise import Kit, given_sources, reference
from autograder.forbidden import Forbidden
from autograder.grade import Graders, load_checks, prove, seeded
from autograder.handin import receipt_of
from autograder.judge import Judge, Judged
from autograder.launch import need_room
from autograder.messages import Lang
from autograder.results import SubmissionResult, graded, not_graded
from autograder.sandbox import Sandbox, SandboxFault
from autograder.submission import Submission, digest

NOTICES = 12  # sentences about files beside one score; of more, how many


@dataclass(frozen=True)
class Texts:
    """Graders and mistakes as text, by file name and by exercise; the quiz, as it was read."""

    graders: Mapping[str, str]
    mistakes: Mapping[str, str]
    quiz: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Recipe:
    """All that another process needs to grade as this one does: it needs no file of the kit."""

    kit: Kit
    exercises: tuple[str, ...]
    lang: Lang
    secret: bytes
    require: str | None
    texts: Texts

    @classmethod
    def of(
        cls, kit: Kit, exercises: tuple[str, ...], lang: Lang, secret: bytes, require: str | None
    ) -> Recipe:
        """Read what the kit's folders hold."""
        graders = {path.name: path.read_text("utf-8") for path in kit.graders.glob("test_*.py")}
        mistakes = {path.stem: path.read_text("utf-8") for path in kit.mistakes.glob("*.py")}
        return cls(
            kit,
            exercises,
            lang,
            secret,
            require,
            Texts(graders, mistakes, quizbook.source(kit.graders)),
        )

    def grader(self) -> Grader:
        """Make the grader of this process."""
        return Grader(self.kit, self.exercises, self.lang, self.secret, self.require, self.texts)


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
    texts : Texts or None
        The graders and mistakes, where they are not to be read from the kit's folder.
    """

    kit: Kit
    exercises: tuple[str, ...]
    lang: Lang
    secret: bytes
    require: str | None = None
    texts: Texts | None = None
    graders: Graders = field(init=False)

    def __post_init__(self) -> None:
        need_room(Limits())
        chosen = self.exercises or self.kit.ids
        self.names = [(each.id, each.names) for each in self.kit.exercises]
        self.given = given_sources(self.kit)
        rules = {each.id: each.forbidden for each in self.kit.exercises}
        self.forbidden = {each: rules[each] for each in chosen if rules[each].names}
        self.lists = {exercise: rule.names for exercise, rule in self.forbidden.items()}
        namespaces = reference(self.kit)
        texts = self.texts
        checks = load_checks(self.kit.graders, chosen, texts.graders if texts else None)
        self.graders = prove(checks, namespaces)
        self._banks = {
            each: bank_from_text(texts.mistakes, each)
            if texts
            else load_bank(self.kit.mistakes, each)
            for each in chosen
        }
        self._quiz = texts.quiz if texts else quizbook.source(self.kit.graders)
        self._diagnosing = threading.Lock()  # a bank remembers what it has run
        self.sandbox = Sandbox(require=self.require)

    def close(self) -> None:
        """End the sandbox."""
        self.sandbox.close()

    @property
    def max_score(self) -> float:
        """The points of all chosen exercises."""
        return points_of(check for some in self.graders.checks.values() for check in some)

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
        judge = Judge(
            self.sandbox,
            self.graders,
            self.names,
            submission.files,
            rng_for,
            self.given,
            self.lists,
        )
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
            found = assess(each, self.diagnose, self.lang, tuple(lacking))
            rule = self.forbidden.get(each.exercise, Forbidden())
            exercises.append(policy.hold(found, rule, judge.student.shortcuts, self.lang))
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
            quiz=quizbook.judged(self._quiz, submission.quiz),
        )

    def diagnose(self, judged: Judged) -> Finding | None:
        """Name what an exercise's failures show, by replaying its answers."""
        bank = self._banks[judged.exercise]
        with self._diagnosing:
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
        set_aside = aside.said(judge.student.lines, judge.student.absent)
        said += [(f"notice.{code}", slots) for code, slots in set_aside]
        if absent := judge.student.absent - {SOLUTIONS}:
            names = ", ".join(sorted(absent))
            said.append(("notice.module-absent", {"names": names}))
        sentences = dict.fromkeys(messages.render(code, slots, self.lang) for code, slots in said)
        more = [f"(+{len(sentences) - NOTICES})"] if len(sentences) > NOTICES else []
        return " ".join([*list(sentences)[:NOTICES], *more]) or None
