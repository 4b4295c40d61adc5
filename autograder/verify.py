"""`attn verify`: every claim that this kit makes about its graders, proved on known code.

Each claim is one line with its numbers; what does not hold is listed below it. The proofs of one
exercise stand in `proof`; they run beside each other.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.bank import load_bank
from autograder.boot import Limits
from autograder.build import check_fresh
from autograder.check import points_of
from autograder.exercise import Kit, borrowed, given_sources, read_kit, reference
from autograder.grade import Graders, KitFault, load_checks, prove, score_of, seeded
from autograder.judge import Judge, Judged
from autograder.launch import need_room
from autograder.proof import Tally, prove_exercise, run_right
from autograder.sandbox import Sandbox
from autograder.wording import lacking

Progress = Callable[[str, int, int], None]

SHOWN = 20  # lines below a claim that does not hold


@dataclass(frozen=True)
class Claim:
    """One claim.

    Attributes
    ----------
    text : str
        The claim in words, with its numbers.
    ok : bool
        Whether it holds.
    details : tuple of str
        What does not hold.
    """

    text: str
    ok: bool
    details: tuple[str, ...] = ()


def _claim(text: str, broken: Iterable[str]) -> Claim:
    lines = tuple(broken)
    more = (f"and {len(lines) - SHOWN} more",) if len(lines) > SHOWN else ()
    return Claim(text, not lines, lines[:SHOWN] + more)


def verify(
    root: Path,
    exercises: Sequence[str] = (),
    jobs: int | None = None,
    progress: Progress = lambda *_: None,
) -> Iterator[Claim]:
    """Prove a kit's graders, claim by claim.

    Parameters
    ----------
    root : Path
        Where solutions/ and autograder/graders/ lie.
    exercises : sequence of str
        All of the kit, unless told.
    jobs : int, optional
        How many processes work; as many as there are processors, unless told.
    progress : callable
        Told of each exercise that is finished: its name, how many are, of how many.
    """
    need_room(Limits())
    kit = read_kit(root)
    wanted = tuple(exercises) or kit.ids
    try:
        graders = _graders(root)
    except KitFault as fault:
        yield Claim(f"the reference gets full marks: {fault}", False)
        return
    yield from _by_the_worker(kit, graders)
    yield _claim(
        "each mistake, hint and check's title has its words in English and Chinese",
        lacking(kit, wanted),
    )
    yield _right_variants(kit, graders, wanted)
    slow_first = sorted(wanted, key=lambda each: -_size(kit, each))
    work = [(root, each) for each in slow_first]
    workers = min(jobs or os.cpu_count() or 1, len(wanted))
    proved: dict[str, Tally] = {}
    progress("", 0, len(work))
    for exercise, tally in _proved(work, workers):
        proved[exercise] = tally
        progress(exercise, len(proved), len(work))
    yield from _claims({each: proved[each] for each in wanted})
    yield _claim("exercises/ is what the build makes of solutions and graders", check_fresh(kit))


def _proved(work: Sequence[tuple[Path, str]], workers: int) -> Iterator[tuple[str, Tally]]:
    """Give each exercise with its proof, as it is finished."""
    if workers == 1:
        yield from ((each, _prove((root, each))) for root, each in work)
        return
    with ProcessPoolExecutor(workers) as pool:
        asked = {pool.submit(_prove, what): what[1] for what in work}
        for done in as_completed(asked):
            yield asked[done], done.result()


@functools.cache
def _graders(root: Path) -> Graders:
    kit = read_kit(root)
    return prove(load_checks(kit.graders, kit.ids), reference(kit))


def _size(kit: Kit, exercise: str) -> int:
    return len(load_bank(kit.mistakes, exercise).variants())


def _prove(what: tuple[Path, str]) -> Tally:
    root, exercise = what
    return prove_exercise(_graders(root), load_bank(read_kit(root).mistakes, exercise))


def _claims(proved: dict[str, Tally]) -> Iterator[Claim]:
    def total(name: str) -> int:
        return sum(getattr(each, name) for each in proved.values())

    def broken(name: str) -> list[str]:
        return [
            f"{exercise}: {line}"
            for exercise, tally in proved.items()
            for line in tally.broken.get(name, ())
        ]

    singles, doubles = total("singles"), total("doubles")
    cancelling = total("cancelling")
    yield _claim(
        f"each of {singles} single and {doubles - cancelling} double mistakes loses points"
        f" ({cancelling} more pairs cancel out and are right)",
        broken("caught"),
    )
    yield _claim(
        f"each single mistake is named: {total('alone')} by their own code, {total('grouped')}"
        f" with their declared equals, of {total('codes')} codes in {len(proved)} exercises",
        broken("named"),
    )
    yield _claim(
        f"each of {doubles - cancelling} double mistakes is named by a set that gives its numbers"
        " and holds a true part, or by one that cannot be told from it",
        broken("doubles"),
    )
    yield _claim(
        f"each of {total('pairs')} pairs of mistakes gives other answers to some probe,"
        " or is declared equal",
        broken("separable"),
    )
    yield _claim(
        f"each of {total('triples')} random triple mistakes comes out as unknown"
        f" ({total('unknown')}), with a true part, or as fewer that give the same numbers"
        f" ({total('alike')})",
        broken("triples"),
    )


def _by_the_worker(kit: Kit, graders: Graders) -> Iterator[Claim]:
    """Judge the solutions and the stubs as submissions, in a worker."""
    checks = sum(map(len, graders.checks.values()))
    points = points_of(check for some in graders.checks.values() for check in some)
    solved = [(f"{name}.py", text.encode()) for name, text in given_sources(kit).items()]
    missed = [
        f"{each.exercise}.{outcome.check.name} ({outcome.code})"
        for each in _judge(kit, graders, solved)
        for outcome in each.outcomes
        if not outcome.passed
    ]
    yield _claim(
        f"the reference gets full marks: {points:g} points in {checks} checks of"
        f" {len(graders.checks)} exercises",
        missed,
    )
    stubs = [
        (f"{each}.py", path.read_bytes())
        for each in kit.ids
        if (path := kit.bundle / f"{each}.py").is_file()
    ]
    started = [
        f"{each.exercise} is {each.state}, with {score_of(each.outcomes):g} points"
        for each in _judge(kit, graders, stubs)
        if each.state != "stub" or any(outcome.passed for outcome in each.outcomes)
    ]
    yield _claim(f"the {len(stubs)} untouched stubs get 0 points and are not attempted", started)


def _judge(kit: Kit, graders: Graders, files: list[tuple[str, bytes]]) -> list[Judged]:
    names = tuple((each.id, each.names) for each in kit.exercises)
    sandbox = Sandbox()
    try:
        with Judge(sandbox, graders, names, files, seeded(b"verify", "kit")) as judge:
            return judge.judge()
    finally:
        sandbox.close()


def _right_variants(kit: Kit, graders: Graders, exercises: Sequence[str]) -> Claim:
    folder = kit.root / "tests" / "right_variants"
    paths = [path for each in exercises for path in sorted((folder / each).glob("*.py"))]
    missed: list[str] = []
    for path in paths:
        exercise = path.parent.name
        names = names_of(path, exercise, graders)
        lost = run_right(graders, exercise, names, seeded(b"verify", path.name))
        missed += [f"{exercise}/{path.name}: {each}" for each in lost]
    return _claim(f"each of {len(paths)} right solutions in other styles gets full marks", missed)


def names_of(path: Path, exercise: str, graders: Graders) -> dict[str, Any]:
    """Run a right variant, which may import the other exercises by name."""
    module = ModuleType(exercise)
    others: dict[str, ModuleType] = {}
    for each, space in graders.reference.items():
        others[each] = ModuleType(each)
        vars(others[each]).update(space)
    others[exercise] = module
    with borrowed(tuple(others)):
        sys.modules.update(others)
        exec(compile(path.read_text("utf-8"), str(path), "exec"), vars(module))
    return graders.everything | vars(module)
