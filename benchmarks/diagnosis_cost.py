"""What a diagnosis costs: for each exercise, and for a submission in which all is wrong.

    python benchmarks/diagnosis_cost.py

Processor time of one diagnosis in milliseconds, the middle of several: of a single mistake, of a
double one, and of numbers that nothing explains (all candidates are tried). Judging is not
counted.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from autograder.bank import Bank, load_bank
from autograder.chain import Chain
from autograder.diagnose import diagnose
from autograder.exercise import find_kit, reference
from autograder.grade import Graders, load_checks, prove, run_checks, seeded
from autograder.student import LocalStudent

ROOT = Path(__file__).resolve().parent.parent
REPEATS = 5
SAMPLE = 12


def main() -> None:
    """Print one line an exercise, and one for all."""
    kit = find_kit(ROOT)
    graders = prove(load_checks(kit.graders, kit.ids), reference(kit))
    print(f"{'exercise':30} {'single':>8} {'double':>8} {'unknown':>8}   milliseconds")
    total = [0.0, 0.0, 0.0]
    for exercise in kit.ids:
        bank = load_bank(kit.mistakes, exercise)
        chain = max(bank.chains.values(), key=lambda each: len(each.mistakes))
        costs = [
            _cost(graders, bank, [chain.public(v) for v in _some(chain.singles)], chain),
            _cost(graders, bank, [chain.public(v) for v in _some(chain.doubles)], chain),
            _cost(graders, bank, [_noisy(graders.everything[chain.name])], chain),
        ]
        total = [a + b for a, b in zip(total, costs, strict=True)]
        print(f"{exercise:30} {costs[0]:8.1f} {costs[1]:8.1f} {costs[2]:8.1f}")
    print(f"{'all eleven wrong':30} {total[0]:8.1f} {total[1]:8.1f} {total[2]:8.1f}")


def _some(variants: tuple[Any, ...]) -> tuple[Any, ...]:
    return variants[:: max(1, len(variants) // SAMPLE)]


def _cost(graders: Graders, bank: Bank, wrong: list[Any], chain: Chain) -> float:
    costs = []
    for each in wrong:
        names: Mapping[str, Any] = {**graders.everything, chain.name: each}
        student = LocalStudent(names)
        outcomes = run_checks(
            graders.checks[bank.exercise],
            student,
            graders.reference_student,
            seeded(b"benchmark", "one"),
        )
        spent = []
        for _ in range(REPEATS):
            start = time.process_time()
            diagnose(bank, student.trace, graders.everything, outcomes)
            spent.append(time.process_time() - start)
        costs.append(statistics.median(spent))
    return 1000 * statistics.median(costs)


def _noisy(right: Any) -> Any:
    """Give a function, or a class with a `forward`, whose numbers nothing explains."""
    if isinstance(right, type):
        return type(right.__name__, (right,), {"forward": _moved(right.forward)})
    return _moved(right)


def _moved(function: Callable[..., Any]) -> Callable[..., Any]:
    def answer(*args: Any, **kwargs: Any) -> Any:
        return _shift(function(*args, **kwargs))

    return answer


def _shift(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_shift, value))
    if isinstance(value, dict):
        return {key: _shift(each) for key, each in value.items()}
    if isinstance(value, str):
        return value[::-1]
    return np.asarray(value) * 1.01 + 0.01


if __name__ == "__main__":
    main()
