"""A class that nobody attended, for looking at reports: 300 hand-ins in stated proportions.

Each student has an ability, each exercise a difficulty. Who gets an exercise right wrote it as the
solution does (40 in 100) or in one of the other ways of `tests/right_variants/` (60). Who fails it
makes a known mistake (88 in 100), one that is in no bank (6), or has code that stops (6); the
weakest leave exercises out. Each code is truly judged and diagnosed, once; who handed in what is
drawn. Of all hand-ins 2 in 100 are unreadable and 2 in 100 empty, and 7 students of the
class list did not hand in.

    python benchmarks/simulated_class.py OUT [--students 300]

writes OUT/results.json, OUT/roster.csv and OUT/report.html.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from autograder import __version__
from autograder.assess import assess
from autograder.exercise import find_kit
from autograder.grade import Outcome
from autograder.judge import Judged
from autograder.rehearse import Stage
from autograder.results import (
    ExerciseResult,
    Results,
    SubmissionResult,
    graded,
    not_graded,
    write_atomically,
)
from autograder.verify import names_of

SEED = 20_261_129
OTHER_WAYS = 0.60  # of what is right
KNOWN, IN_NO_BANK = 0.88, 0.06  # of what is wrong; the rest stops
UNREADABLE, EMPTY, ABSENT = 0.02, 0.02, 7
CODES_MET = 5  # common codes of an exercise; each is met half as often as the one before


class Acts:
    """What an exercise may look like in a hand-in, each judged once."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        folder = stage.kit.root / "tests" / "right_variants"
        self._ways = {each: sorted((folder / each).glob("*.py")) for each in stage.kit.ids}
        self._made: dict[tuple[str, str], ExerciseResult] = {}

    def right(self, exercise: str, draw: random.Random) -> ExerciseResult:
        if draw.random() >= OTHER_WAYS:
            return self._of(exercise, "right", lambda: self._judged(exercise, {}))
        path = draw.choice(self._ways[exercise])
        return self._of(exercise, path.stem, lambda: self._variant(exercise, path))

    def _variant(self, exercise: str, path: Path) -> Judged:
        with contextlib.redirect_stdout(io.StringIO()):
            names = names_of(path, exercise, self._stage.graders)
            return self._stage.judged(exercise, names)

    def known(self, exercise: str, draw: random.Random) -> ExerciseResult:
        acts = [
            act
            for act in self._stage.acts()
            if act.exercise == exercise and not act.mistake.code.startswith("C-")
        ]
        codes = list(dict.fromkeys(act.mistake.code for act in acts))[:CODES_MET]
        [code] = draw.choices(codes, [0.5**place for place in range(len(codes))])
        act = next(act for act in acts if act.mistake.code == code)
        return self._stage.result(act)

    def unknown(self, exercise: str) -> ExerciseResult:
        return self._of(
            exercise, "unknown", lambda: self._judged(exercise, self._changed(exercise, _odd))
        )

    def stopping(self, exercise: str) -> ExerciseResult:
        return self._of(
            exercise, "stops", lambda: self._judged(exercise, self._changed(exercise, _stops))
        )

    def left_out(self, exercise: str) -> ExerciseResult:
        checks = self._stage.graders.checks[exercise]
        outcomes = tuple(Outcome(check, "skipped", "C-STUB", {}) for check in checks)
        return self._of(exercise, "stub", lambda: Judged(exercise, "stub", outcomes))

    def _of(self, exercise: str, kind: str, judge: Callable[[], Judged]) -> ExerciseResult:
        if (exercise, kind) not in self._made:
            self._made[exercise, kind] = assess(judge(), self._stage.diagnose, "en", ())
        return self._made[exercise, kind]

    def _judged(self, exercise: str, changed: Mapping[str, Any]) -> Judged:
        return self._stage.judged(exercise, {**self._stage.right, **changed})

    def _changed(self, exercise: str, change: Callable[[Any], Any]) -> Mapping[str, Any]:
        names = self._stage.kit.exercise(exercise).names
        return {names[-1]: change(self._stage.right[names[-1]])}


def _odd(function: Any) -> Any:
    """Give right numbers with something added that no known mistake adds."""

    def odd(*args: Any, **kwargs: Any) -> Any:
        return _add(function(*args, **kwargs))

    if not isinstance(function, type):
        return odd

    class Odd(function):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            return _add(super().forward(x))

    return Odd


def _add(answer: Any) -> Any:
    if isinstance(answer, tuple):
        return tuple(_add(part) for part in answer)
    if isinstance(answer, dict):
        return {key: _add(part) for key, part in answer.items()}
    if isinstance(answer, str):
        return answer[::-1]
    array = np.asarray(answer)
    return ~array if array.dtype == bool else answer + 0.0137 * np.cos(7 * array)


def _stops(_: Any) -> Any:
    def stops(*args: Any, **kwargs: Any) -> Any:
        raise IndexError("list index out of range")

    return stops


def simulate(stage: Stage, students: int = 300, seed: int = SEED) -> Results:
    """Give the results of a class, the same ones for the same seed."""
    draw = random.Random(seed)
    acts = Acts(stage)
    hard = {each.id: (each.difficulty - 3.6) * 0.7 for each in stage.kit.exercises}
    worth = sum(c.declared.points for some in stage.graders.checks.values() for c in some)
    found = [
        _hand_in(f"student-{number:03d}", acts, hard, worth, draw)
        for number in range(1, students + 1)
    ]
    return Results(__version__, ("L3", "a simulated class"), tuple(found))


def _hand_in(
    id: str, acts: Acts, hard: Mapping[str, float], worth: float, draw: random.Random
) -> SubmissionResult:
    odd = draw.random()
    if odd < UNREADABLE:
        notice = "attention.ipynb is no complete notebook: it breaks off in the middle."
        return not_graded(id, ["attention.ipynb"], "unreadable", worth, notice=notice)
    if odd < UNREADABLE + EMPTY:
        return not_graded(id, [], "empty", worth, notice="There is no Python file in it.")
    ability = draw.gauss(0.9, 1.1)
    exercises = [_exercise(each, ability - hard[each], acts, draw) for each in hard]
    return graded(id, [f"{each}.py" for each in hard], exercises, seconds=0.03)


def _exercise(name: str, ease: float, acts: Acts, draw: random.Random) -> ExerciseResult:
    if draw.random() < 1 / (1 + np.exp(-1.4 * ease)):
        return acts.right(name, draw)
    if ease < -1.2 and draw.random() < 0.5:
        return acts.left_out(name)
    kind = draw.random()
    if kind < KNOWN:
        return acts.known(name, draw)
    return acts.unknown(name) if kind < KNOWN + IN_NO_BANK else acts.stopping(name)


def roster(results: Results) -> str:
    """Give a class list: all but the last hand-in, and some who did not hand in."""
    ids = [each.id for each in results.submissions][:-1]
    ids += [f"student-{len(ids) + 2 + number:03d}" for number in range(ABSENT)]
    return "id\n" + "".join(f"{each}\n" for each in ids)


def main() -> None:
    from autograder.analysis import analyse
    from autograder.export.lecture_page import report_page

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--lang", default="en")
    asked = parser.parse_args()
    stage = Stage(find_kit())
    results = simulate(stage, asked.students)
    asked.out.mkdir(parents=True, exist_ok=True)
    write_atomically(asked.out / "results.json", results)
    (asked.out / "roster.csv").write_text(roster(results), "utf-8")
    found = analyse(results, listed=roster(results).split()[1:])
    page = report_page(found, results.kit, asked.lang, stage.contrast)
    (asked.out / "report.html").write_text(page, "utf-8")
    print(asked.out / "report.html")


if __name__ == "__main__":
    main()
