"""Run many checks at once, each up to its next question: the fast way to see that all is right.

A check is plain Python that asks and waits. Here every check is a greenlet of its own, all that
can begin do, and the questions at which they stand go to the worker together, as one wave. What
comes of it is believed only where every check of an exercise passed: whatever else happens, the
exercise is judged again, one question at a time, and that is what counts and what is told. So a
student's code sees the same questions, in another order, and no failure is ever named from here.

Who answers a wave, and what becomes of an exercise that did not pass, is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

try:
    from greenlet import GreenletExit, getcurrent, greenlet
except ImportError:  # then questions are put one at a time
    greenlet = None

from autograder.check import Check
from autograder.grade import Outcome, run_check
from autograder.student import Op, Reference, Remote, Reply, Student, Trouble, handle_of
from autograder.volley import Packer, Question

AskAll = Callable[[Sequence[Question]], list[Reply] | None]
ROOM = 2**20  # bytes of one answer's arrays, beside four times what was asked with
available = greenlet is not None


class Waiting(Student):
    """The student as one check sees it: to ask is to wait for the next wave."""

    def __init__(self) -> None:
        super().__init__()
        self._sets: list[Any] = []

    def perform(
        self, op: Op, name: str, target: int | None, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Put one question, and give the answer or raise its `Trouble`."""
        packer = Packer(_number)
        plain = [packer.pack(each) for each in args]
        keywords = {key: packer.pack(each) for key, each in kwargs.items()}
        if op == "set" and target is not None:
            self._sets.append((target, name, plain[0]))
            self.last = Reply(None)
            return None
        room = 4 * packer.size + ROOM
        question = Question(op, name, target, plain, keywords, self._sets, room)
        self._sets = []
        self.last = reply = getcurrent().parent.switch(question)
        if isinstance(reply.value, Trouble):
            raise reply.value
        return self.revive(reply.value)


def _number(value: Any) -> int | None:
    return handle_of(value).number if isinstance(value, Remote) else None


@dataclass
class _Exercise:
    """One exercise's checks, as far as they have come."""

    waiting: dict[str, tuple[Check, set[str]]]  # those that have not begun, and what each needs
    count: int
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    running: list[Any] = field(default_factory=list)
    failed: bool = False

    @classmethod
    def of(cls, checks: tuple[Check, ...]) -> _Exercise:
        known = {check.name for check in checks}
        waiting = {
            check.name: (check, known & {n.removeprefix("test_") for n in check.declared.needs})
            for check in checks
        }
        return cls(waiting, len(checks))

    def ready(self) -> list[Check]:
        """Take those checks that can begin."""
        free = [name for name, (_, needs) in self.waiting.items() if not needs]
        return [self.waiting.pop(name)[0] for name in free]

    def ended(self, outcome: Outcome) -> None:
        """Take in what one found."""
        name = outcome.check.name
        self.outcomes[name] = outcome
        self.failed |= not outcome.passed
        for _, needs in self.waiting.values():
            needs.discard(name)


def passing(
    checks: Mapping[str, tuple[Check, ...]],
    ask_all: AskAll,
    reference: Callable[[], Student | Reference],
    rng_for: Callable[[Check], Any],
) -> dict[str, tuple[Outcome, ...]]:
    """Give the outcomes of those exercises whose every check passed.

    Parameters
    ----------
    checks : dict
        Exercise to its checks; all are asked about at once.
    ask_all : callable
        Answers a wave of questions in their order, or gives None where it cannot.
    reference : callable
        Gives what a check compares with.
    rng_for : callable
        A check to its seeded generator.

    Raises
    ------
    KitFault
        As `run_check` does.
    """
    if greenlet is None:
        return {}
    exercises = {name: _Exercise.of(some) for name, some in checks.items()}
    standing: list[tuple[Any, Question, _Exercise]] = []

    def go(runner: Any, exercise: _Exercise, *given: Any) -> None:
        told = runner.switch(*given)
        if isinstance(told, Question):
            standing.append((runner, told, exercise))
        else:
            exercise.ended(told)

    def begin(exercise: _Exercise) -> None:
        while not exercise.failed and (ready := exercise.ready()):
            for check in ready:
                runner = greenlet(run_check)
                exercise.running.append(runner)
                go(runner, exercise, check, Waiting(), reference(), rng_for(check))

    try:
        for exercise in exercises.values():
            begin(exercise)
        while wave := [each for each in standing if not each[2].failed]:
            standing.clear()
            replies = ask_all([question for _, question, _ in wave])
            if replies is None:
                return {}
            for (runner, _, exercise), reply in zip(wave, replies, strict=True):
                if not exercise.failed:
                    go(runner, exercise, reply)
            for exercise in exercises.values():
                begin(exercise)
    finally:
        _end(each for exercise in exercises.values() for each in exercise.running)
    return {
        name: tuple(one.outcomes[check.name] for check in checks[name])
        for name, one in exercises.items()
        if not one.failed and len(one.outcomes) == one.count
    }


def _end(runners: Iterable[Any]) -> None:
    for runner in runners:
        if not runner.dead:
            runner.throw(GreenletExit)
