"""Ask ahead: see at once what is right, for the price of one turn.

A check is plain Python that asks, waits and asks on; each turn wakes two processes. What it will
ask a right solution is known before: it is run on the reference first, and its questions are
written down. All of them go to the worker together, in the order in which they would be asked one
by one. A check whose answers came back as the reference gave them, to the bit, has passed: it
has been seen to, on these very values. Every other check runs again on the answers that came. An
exercise counts as right where every check asked just what was foreseen and passed. Of everything
else nothing is believed: it is asked again one by one, by whoever called, and only that is told.

No question tells an answer: one that holds what the reference answered before is sent when the
student has given that answer too, and not otherwise.

Who answers the questions, and what becomes of an exercise that did not pass, is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.check import Check
from autograder.foresee import Answers, Foreseen, Known, Recalled
from autograder.grade import Outcome, run_check
from autograder.oracle import Owned
from autograder.student import Handle, Reply
from autograder.volley import Question

AskAll = Callable[[Sequence[Question]], list[Reply] | None]


@np.errstate(all="ignore")  # a student's numbers may be anything
def passing(
    checks: Mapping[str, tuple[Check, ...]],
    ask_all: AskAll,
    namespace: Mapping[str, Any],
    rng_for: Callable[[Check], Any],
    first: int = 0,
) -> dict[str, tuple[Outcome, ...]]:
    """Give the outcomes of those exercises whose every check passed.

    Parameters
    ----------
    checks : dict
        Exercise to its checks; all are asked about at once.
    ask_all : callable
        Answers questions in their order, or gives None where it cannot.
    namespace : dict
        The solutions by name.
    rng_for : callable
        A check to its seeded generator.
    first : int
        The number that the worker gives to the next object that stays in it.

    Raises
    ------
    KitFault
        As `run_check` does.
    """
    known, objects, answers = Known(namespace), list[Owned](), Answers()
    foreseen: dict[str, list[Foreseen]] = {}
    for exercise, some in checks.items():
        foreseen[exercise] = []
        for check in some:
            student = Foreseen(known, objects, first, answers)
            student.outcome = run_check(check, student, known, rng_for(check))
            foreseen[exercise].append(student)
    try:
        if not _ask(foreseen, ask_all):
            return {}
        passed = {
            exercise: _passed(each_check, known, rng_for)
            for exercise, each_check in foreseen.items()
        }
        return {exercise: outcomes for exercise, outcomes in passed.items() if outcomes}
    finally:
        answers.clear()
        for each_check in foreseen.values():
            for student in each_check:
                student.forget()


def _ask(foreseen: Mapping[str, Sequence[Foreseen]], ask_all: AskAll) -> bool:
    """Ask all that may be asked, in its order; give whether the replies came."""
    asked: list[Foreseen] = []  # whose question it is, for each of the frame
    frame: list[Question] = []

    def send() -> bool:
        replies = ask_all(frame) if frame else []
        for student, reply in zip(asked, replies or (), strict=replies is not None):
            student.replies.append(reply)
        asked.clear()
        frame.clear()
        return replies is not None

    for its in foreseen.values():
        for student, place in [(each, n) for each in its for n in range(len(each.questions))]:
            if place in student.telling:
                if not send():
                    return False
                if not all(source.came(at) for source, at in student.telling[place]):
                    if any(isinstance(value, Handle) for each in its for value in each.values):
                        return True  # what comes after counts objects that were never made
                    break
            asked.append(student)
            frame.append(student.questions[place])
    return send()


def _passed(
    each_check: Sequence[Foreseen], known: Known, rng_for: Callable[[Check], Any]
) -> tuple[Outcome, ...]:
    """Give the outcomes of an exercise's checks, if all passed; else nothing."""
    outcomes = []
    for foreseen in each_check:
        outcome = foreseen.outcome
        if len(foreseen.replies) < len(foreseen.questions):
            return ()
        if not foreseen.as_foreseen:
            student = Recalled(foreseen.questions, foreseen.replies)
            outcome = run_check(outcome.check, student, known, rng_for(outcome.check))
            if not (outcome.passed and student.done):
                return ()
        outcomes.append(outcome)
    return tuple(outcomes)
