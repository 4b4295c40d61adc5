"""The graders by hand: ``pytest autograder/graders --submission=FILE_OR_FOLDER``.

pytest calls the checks here with its own protocol; what a failure means, which runs again with
earlier functions given, and which waits for another, is decided as in the batch. Not for students:
an instructor runs this on one submission, with `-k`, `-x` or `--pdb` as she likes.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from autograder import messages
from autograder.batch import Grader
from autograder.check import Check, check_of
from autograder.exercise import KitNotFound, find_kit
from autograder.expect import Unmet
from autograder.grade import CODE_OF_TROUBLE, Outcome, score_of, seeded, trouble_slots
from autograder.judge import Judge, Judged
from autograder.launch import Cramped
from autograder.oracle import Reference
from autograder.plugin_words import refuse_foreign
from autograder.policy import Noticed
from autograder.student import Student, Trouble
from autograder.submission import SubmissionError, discover

_ATTEMPT = pytest.StashKey["Attempt"]()


class Attempt:
    """One submission under pytest: a judge, and what the checks have found so far."""

    def __init__(self, grader: Grader, judge: Judge) -> None:
        self.grader, self.judge = grader, judge
        self.outcomes: dict[tuple[str, str], Outcome] = {}
        self._before: dict[str, Judged] = {}

    def lacking(self, exercise: str) -> tuple[str, ...]:
        """Give the earlier exercises that do not pass, judged now where pytest has not."""
        lacking: list[str] = []
        for each in self.judge.graders.checks:
            if each == exercise:
                break
            if each not in self._before:
                self._before[each] = self.judge.exercise(each, lacking)
            if not self._before[each].passed:
                lacking.append(each)
        return tuple(lacking)

    def run(self, check: Check, student: Student, call: Any) -> Outcome:
        """Let pytest's `call` run the check for `student`."""
        student.check = check.name
        try:
            call()
        except Unmet as unmet:
            return Outcome(check, "failed", unmet.code, unmet.slots)
        except Trouble as trouble:
            slots = trouble_slots(trouble, student)
            return Outcome(check, "failed", CODE_OF_TROUBLE[trouble.kind], slots, trouble)
        return Outcome(check, "passed")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Read the submission and start its worker."""
    config = session.config
    refuse_foreign(config)
    path: Path | None = config.getoption("--submission")
    if path is None:
        raise pytest.UsageError("which submission? give --submission=FILE_OR_FOLDER")
    try:
        kit = find_kit(config.getoption("--kit"), graded=[path])
        found, _ = discover([path], kit.ids)
    except (KitNotFound, SubmissionError) as error:
        raise pytest.UsageError(str(error)) from error
    if len(found) != 1:
        raise pytest.UsageError(f"{path} holds {len(found)} submissions; by hand, name one of them")
    try:
        grader = Grader(kit, (), "en", b"by hand")
    except Cramped as error:
        raise pytest.UsageError(str(error)) from error
    names = [(each.id, each.names) for each in kit.exercises]
    rng_for = seeded(grader.secret, found[0].id)
    judge = Judge(
        grader.sandbox,
        grader.graders,
        names,
        found[0].files,
        rng_for,
        grader.given,
        grader.lists,
    )
    config.stash[_ATTEMPT] = Attempt(grader, judge)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """End the worker and the sandbox."""
    attempt = session.config.stash.get(_ATTEMPT, None)
    if attempt is not None:
        attempt.judge.close()
        attempt.grader.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the exercises into the order of the course."""
    order = list(config.stash[_ATTEMPT].judge.graders.checks)
    items.sort(key=lambda item: order.index(_exercise(item)))


def _exercise(item: pytest.Item) -> str:
    return item.path.stem.removeprefix("test_")


def _check(item: pytest.Function) -> Check:
    return check_of(_exercise(item), item.originalname, item.obj)


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Student:
    """The submission, in its worker, with what this exercise needs run."""
    judge = request.config.stash[_ATTEMPT].judge
    judge.student.prepare(_exercise(request.node))
    return judge.student


@pytest.fixture
def reference(request: pytest.FixtureRequest) -> Student | Reference:
    """The solutions, in this process."""
    return request.config.stash[_ATTEMPT].judge.graders.solutions()


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Any:
    """The generator of this submission and check."""
    return request.config.stash[_ATTEMPT].judge.rng_for(_check(request.node))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what was never attempted, and what waits for another check."""
    assert isinstance(item, pytest.Function)
    attempt, check = item.config.stash[_ATTEMPT], _check(item)
    state = attempt.judge.state(check.exercise)
    if state != "attempted":
        pytest.skip({"stub": "not attempted", "missing": "missing"}[state])
    for need in check.declared.needs:
        found = attempt.outcomes.get((check.exercise, need.removeprefix("test_")))
        if found is not None and not found.passed:
            pytest.skip(f"needs “{found.check.title}” first")


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Run a check; where it fails, run it again with the earlier functions that fail given."""
    attempt, check = pyfuncitem.config.stash[_ATTEMPT], _check(pyfuncitem)

    def again(student: Student) -> Outcome:
        judge = attempt.judge
        fixtures = {
            "student": student,
            "reference": judge.graders.solutions(),
            "rng": judge.rng_for(check),
        }
        wanted = {name: fixtures[name] for name in check.fixtures}
        return attempt.run(check, student, lambda: check.function(**wanted))

    failed: BaseException | None = None
    try:
        result = yield
    except (Unmet, Trouble) as error:
        failed, result = error, True
    outcome = Outcome(check, "passed")
    if failed is not None:
        outcome = attempt.run(check, attempt.judge.student, lambda: _raise(failed))
        lacking = attempt.lacking(check.exercise)
        if lacking:
            outcome = max(
                outcome,
                again(attempt.judge.given_student(lacking, check.exercise)),
                key=lambda each: each.score,
            )
    attempt.outcomes[check.exercise, check.name] = outcome
    if not outcome.passed:
        said = messages.render(outcome.code or "UNKNOWN", outcome.slots)
        pytest.fail(f"{check.title}: {said}", pytrace=False)
    return result


def _raise(error: BaseException) -> None:
    raise error


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say the score of what ran."""
    attempt = config.stash.get(_ATTEMPT, None)
    if attempt is not None:
        score = score_of(attempt.outcomes.values())
        for exercise, rule in attempt.grader.forbidden.items():
            noticed = Noticed.of(exercise, rule.names, attempt.judge.student.shortcuts)
            own = score_of(o for (of, _), o in attempt.outcomes.items() if of == exercise)
            taken = noticed.cost(rule, own)
            score -= taken
            if words := noticed.words("en", taken):
                terminalreporter.write_line(f"{exercise}: {words}")
        terminalreporter.write_line(f"score of what ran: {score:g}")
