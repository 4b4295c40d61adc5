"""The questions of a trace that one function can be asked again, with its inputs by name.

A class counts as the function that its ``forward`` is: the inputs are the argument and the
weights that the check has set. Who answers such a question, and whether two answers are the same,
is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from autograder.matching import outcome
from autograder.student import Step
from autograder.wire import Handle

Weights: TypeAlias = Mapping[str, Any]
Stand: TypeAlias = Callable[[Step, Weights], Any]

WEIGHTS = 3  # W_q, W_k, W_v: an object with fewer set by the check has drawn some itself


class Signature:
    """A function's name and parameters.

    Parameters
    ----------
    name : str
        The public name: what a student's file defines.
    *inputs : str
        Parameters without a default, in order.
    **defaults : object
        Parameters with one, after them.
    """

    def __init__(self, name: str, *inputs: str, **defaults: Any) -> None:
        self.name = name
        self.inputs: tuple[str, ...] = (*inputs, *defaults)
        self.defaults = defaults

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Give inputs by name, as Python would.

        Raises
        ------
        TypeError
            Where the arguments do not fit.
        """
        if len(args) > len(self.inputs) or not set(kwargs) <= set(self.inputs[len(args) :]):
            raise TypeError(f"{self.name} does not take these arguments")
        given = {**self.defaults, **dict(zip(self.inputs, args, strict=False)), **kwargs}
        if len(given) < len(self.inputs):
            raise TypeError(f"{self.name} misses arguments")
        return given

    def bind_known(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any] | None:
        """Give inputs by name from positions and from what is known by name, or None."""
        given = {**self.defaults, **dict(zip(self.inputs, args, strict=False)), **kwargs}
        known = {name: given[name] for name in self.inputs if name in given}
        return known if len(known) == len(self.inputs) else None


@dataclass(frozen=True)
class Question:
    """One question of a trace: the inputs by name, and the recorded answer.

    Attributes
    ----------
    given : mapping
    answer : object
        As `matching.outcome` gives it.
    check : str
    number : int
        Which of the check's questions to this function it is, from 0.
    cache : dict
        For whoever answers it again.
    """

    given: Mapping[str, Any]
    answer: Any
    check: str
    number: int
    cache: dict[Any, Any] = field(default_factory=dict)


def questions(function: Signature, trace: Sequence[Step], stand_in: Stand) -> list[Question] | None:
    """Give the questions of a trace that were put to `function`.

    Answers that depend on weights which the student's own generator drew are left out.

    Parameters
    ----------
    function : Signature
    trace : sequence of Step
    stand_in : callable
        Gives what stands for an object of the student's among the arguments, from the step that
        made it and the weights that were set; ``NotImplemented`` where nothing can.

    Returns
    -------
    list of Question or None
        None where an answer is of a kind that no replay explains (a timeout, a stub).
    """
    asked: list[Question] = []
    objects: dict[int, dict[str, Any]] = {}
    made: dict[int, Step] = {}
    numbers: dict[str, int] = {}

    def counted(step: Step) -> int:
        numbers[step.check] = numbers.get(step.check, -1) + 1
        return numbers[step.check]

    for step in trace:
        answer = outcome(step.reply.value)
        if step.op == "new" and isinstance(answer, Handle):
            objects[answer.number], made[answer.number] = {}, step
        elif step.op == "set" and step.target in objects and answer is None:
            objects[step.target][step.name] = step.args[0]
        elif step.op == "method" and step.target is not None:
            number = counted(step)
            owner = made.get(step.target)
            if owner is None or owner.name != function.name:
                continue
            given = function.bind_known((*step.args,), {**step.kwargs, **objects[step.target]})
            if given is None:
                continue
            if answer is NotImplemented:
                return None
            asked.append(Question(given, answer, step.check, number))
        elif step.op == "call" and step.name == function.name:
            number = counted(step)
            if answer is NotImplemented:
                return None
            args = [_thawed(each, objects, made, stand_in) for each in step.args]
            if any(each is NotImplemented for each in args):
                continue
            asked.append(Question(function.bind(args, step.kwargs), answer, step.check, number))
    return asked


def _thawed(
    value: Any, objects: Mapping[int, Weights], made: Mapping[int, Step], stand_in: Stand
) -> Any:
    if not isinstance(value, Handle):
        return value
    step = made.get(value.number)
    if step is None or len(objects[value.number]) < WEIGHTS:
        return NotImplemented
    return stand_in(step, objects[value.number])
