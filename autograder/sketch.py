"""Known mistakes as numbers alone, so that a student's machine can name hers without any code.

At build time, each mistake's answers to the questions of the visible checks become sketches: the
shape, where it is finite, and projections on fixed directions. On the student's machine her own
answers are sketched alike and compared within a tolerance, never by a hash of rounded numbers:
that would miss right code in another style. A file of sketches holds codes and numbers, no body
of any function.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from autograder.asked import Question, Signature, Weights, questions
from autograder.bank import Bank
from autograder.chain import ABSENT, RIGHT, Chain, Raised, Variant, codes_of
from autograder.diagnose import right_object
from autograder.facts import facts
from autograder.finding import AFTER, Finding, Seen, conclude, settled, smallest, unmet
from autograder.matching import LEAST, VIEWS, Failure, failure, tolerance_for
from autograder.student import Step

Sketch: TypeAlias = list[Any]  # [what it is, a projection, …]
DIRECTIONS = 2  # in each question; a mistake is asked several
SLACK = 0.3  # of the tolerance for single numbers: in a projection their rounding cancels
DIGITS = 7  # finer than any tolerance, and coarse enough to come out alike on two machines
_CACHE: dict[int, NDArray[np.float64]] = {}


def directions(size: int) -> NDArray[np.float64]:
    """Give `DIRECTIONS` fixed directions of so many numbers in (−1, 1), the same everywhere."""
    if size not in _CACHE:
        state, drawn = 20_170_612, []
        for _ in range(DIRECTIONS * size):
            state = (state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
            drawn.append((state >> 40) / 2**23 - 1.0)
        _CACHE[size] = np.array(drawn).reshape(size, DIRECTIONS).T
    return _CACHE[size]


def sketch(answer: Any) -> Sketch:
    """Give what is kept of an answer: its kind and shape as text, then its projections."""
    arrays: list[NDArray[np.float64]] = []
    kind = _kind(answer, arrays)
    if not arrays:
        return [kind]
    flat = np.concatenate([each.ravel() for each in arrays])
    finite = np.isfinite(flat)
    if not finite.all():
        marks = np.where(finite, 0, np.where(np.isnan(flat), 1, np.where(flat > 0, 2, 3)))
        kind += f"!{zlib.crc32(marks.astype(np.uint8).tobytes()):x}"
        flat = np.where(finite, flat, 0.0)
    if not flat.size:
        return [kind]
    return [kind, *(_cut(each) for each in directions(flat.size) @ flat)]


def _kind(answer: Any, arrays: list[NDArray[np.float64]]) -> str:
    if answer is None:
        return "none"
    if isinstance(answer, Failure):
        return f"raised {answer.kind}"
    if isinstance(answer, str):
        return f"text {zlib.crc32(answer.encode('utf-8', 'replace')):x}"
    if isinstance(answer, dict):
        inner = ",".join(f"{key}:{_kind(each, arrays)}" for key, each in answer.items())
        return f"{{{inner}}}"
    if isinstance(answer, list | tuple):
        return f"({','.join(_kind(each, arrays) for each in answer)})"
    try:
        found = np.asarray(answer)
    except (ValueError, TypeError):
        return "other"
    if found.dtype.kind not in "biuf":
        return "other"
    arrays.append(found.astype(np.float64))
    shape = "x".join(map(str, found.shape))
    return f"{'b' if found.dtype.kind == 'b' else ''}[{shape}]"


def _cut(number: float) -> float:
    """Keep a few digits, and nothing of what rounding leaves of a 0."""
    return 0.0 if abs(number) < LEAST else float(f"{number:.{DIGITS}g}")


def alike(kept: Sketch, found: Sketch, slack: float) -> bool:
    """Whether two sketches are of the same numbers, give or take `slack` in each projection."""
    return kept[0] == found[0] and all(
        abs(one - two) <= slack for one, two in zip(kept[1:], found[1:], strict=True)
    )


def slack_of(answer: Any, tolerance: float) -> float:
    """Give how far projections of the same numbers may be apart: as their rounding adds up."""
    arrays: list[NDArray[np.float64]] = []
    _kind(answer, arrays)
    sizes = [each[np.isfinite(each)] for each in arrays]
    largest = max((float(np.abs(each).max(initial=0.0)) for each in sizes), default=0.0)
    count = sum(each.size for each in sizes)
    return float(SLACK * tolerance * largest * np.sqrt(count)) + 2 * LEAST


# At build time


@np.errstate(all="ignore")
def freeze(bank: Bank, trace: Sequence[Step], right: Mapping[str, Any]) -> dict[str, Any]:
    """Give the sketches of all known mistakes of one exercise, ready for JSON.

    Parameters
    ----------
    bank : Bank
    trace : sequence of Step
        What the visible checks ask, all of them, as the reference was asked.
    right : mapping
        The reference's names, of all exercises.

    Returns
    -------
    dict
        Empty where no mistake is known.
    """
    if not bank.chains:
        return {}
    return {
        "functions": [
            _freeze(chain, questions(chain, trace, right_object(right)) or [])
            for chain in bank.chains.values()
        ],
        "equal": [[sorted(codes), common] for codes, common in bank.equal],
        "order": list(bank.in_order(bank.codes)),
    }


def _freeze(chain: Chain, asked: Sequence[Question]) -> dict[str, Any]:
    view = next((name for name in chain.views if name not in chain.parts), "")
    codes: dict[tuple[str, ...], int] = {}
    tables: list[dict[str, tuple[int, Sketch]]] = [{} for _ in asked for _ in _parts(chain)]
    rows: dict[tuple[int, ...], None] = {}
    single: set[tuple[int, ...]] = set()
    known = [each for each in chain.singles if not any(mistake.state for mistake in each)]
    with np.errstate(all="ignore"):
        after = [frozenset({each}) for each in chain.after]
        for variant in (RIGHT, *known, *after, *chain.doubles):
            places = _row(chain, variant, asked, view, tables)
            if len(variant) == 2 and places in single:
                continue  # a smaller set, or the right solution, gives the same numbers
            if len(variant) < 2 and variant not in after:
                single.add(places)
            number = codes.setdefault(codes_of(variant), len(codes))
            rows[(number, *places)] = None
    used = (kept[0] for table in tables for _, kept in table.values())
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(used))}
    return {
        "name": chain.name,
        "inputs": [each for each in chain.inputs if each not in chain.defaults],
        "defaults": chain.defaults,
        "view": view,
        "parts": list(_parts(chain)),
        "asked": [[each.check, each.number, _inputs(each)] for each in asked],
        "codes": [list(each) for each in codes],
        "kinds": list(kinds),
        "sketches": [
            [[kinds[kept[0]], *kept[1:]] for _, kept in table.values()] for table in tables
        ],
        "rows": [list(row) for row in rows],
    }


def _parts(chain: Chain) -> tuple[str, ...]:
    return tuple(chain.parts) or ("",)


def _row(
    chain: Chain,
    variant: Variant,
    asked: Sequence[Question],
    view: str,
    tables: Sequence[dict[str, tuple[int, Sketch]]],
) -> tuple[int, ...]:
    """Give the place of a variant's answer in the table of each question and part."""
    places = []
    every = iter(tables)
    for question in asked:
        value = chain.run(variant, question.given, question.cache)
        if isinstance(value, Raised):
            value = failure(value.kind)
        for part in _parts(chain):
            table = next(every)
            kept = sketch(_part(VIEWS[view](value, question.given), part))
            places.append(table.setdefault(repr(kept), (len(table), kept))[0])
    return tuple(places)


def _part(answer: Any, part: str) -> Any:
    return answer.get(part, ABSENT) if part and isinstance(answer, dict) else answer


def _inputs(question: Question) -> float:
    """Give one number for the inputs, so that a question that is another one is known as such."""
    sketches = [sketch(each) for each in _plain(question.given)]
    return _cut(total(each[-1] for each in sketches if len(each) > 1))


def total(numbers: Iterable[float]) -> float:
    """Give the sum as every Python rounds it: `sum` of floats does so in its own way since 3.12.

    Where it overflows, it is not a number.
    """
    try:
        return math.fsum(numbers)
    except (OverflowError, ValueError):  # the second for infinities of both signs
        return math.nan


def _plain(given: Mapping[str, Any]) -> list[Any]:
    found: list[Any] = []
    for value in given.values():
        weights = value if isinstance(value, dict) else getattr(value, "__dict__", None)
        found += [weights[name] for name in sorted(weights)] if weights else [value]
    return [each for each in found if isinstance(each, np.ndarray)]


# On the student's machine


@np.errstate(all="ignore")  # a learner's numbers may overflow anything
def diagnose_from(
    data: Mapping[str, Any], trace: Sequence[Step], outcomes: Iterable[Seen]
) -> Finding | None:
    """Say what a student's answers to the visible checks show, from sketches alone.

    Parameters
    ----------
    data : mapping
        What `freeze` gave for the exercise.
    trace : sequence of Step
    outcomes : iterable
        Of every visible check of the exercise.

    Returns
    -------
    Finding or None
        None where no check failed.
    """
    failed = unmet(outcomes)
    if not failed:
        return None
    parts: list[tuple[tuple[str, ...], ...]] = []
    whole, any_asked = True, False
    for function in data.get("functions", ()):
        signature = Signature(function["name"], *function["inputs"], **function["defaults"])
        asked = questions(signature, trace, _weights)
        if asked is None:
            whole = False
        elif asked:
            any_asked = True
            found = _explained(function, asked)
            whole = whole and found is not None
            parts += found or []

    def common(codes: Iterable[str]) -> str | None:
        wanted = set(codes)
        return next((each for group, each in data["equal"] if wanted <= set(group)), None)

    seen = facts(trace, failed, {})
    place = {code: at for at, code in enumerate(data.get("order", ()))}
    kept = settled(parts)
    whole = whole and len(kept) == len(parts)
    sets = [tuple(sorted(each, key=lambda code: place.get(code, 0))) for each in smallest(kept)]
    return conclude(common, sets, whole and any_asked, failed, seen)


def _weights(_: Step, weights: Weights) -> Any:
    return dict(weights)


def _explained(
    function: Mapping[str, Any], asked: Sequence[Question]
) -> list[tuple[tuple[str, ...], ...]] | None:
    """Give the smallest sets for the whole answers, else for each part; None where none fits.

    Nothing where no question is one that was frozen.
    """
    fitting = _fitting(function, asked)
    if not fitting:
        return []
    sets = [tuple(codes) for codes in function["codes"]]
    rows = [tuple(row) for row in function["rows"]]
    width = len(function["parts"])

    def smallest_of(columns: Sequence[int]) -> tuple[tuple[str, ...], ...]:
        fits = dict.fromkeys(
            sets[row[0]]
            for row in rows
            if all(row[1 + column] in fitting[column] for column in columns if column in fitting)
        )
        alone = [each for each in fits if not "".join(each).endswith(AFTER)]
        least = min(map(len, alone), default=0)
        known = tuple(each for each in alone if len(each) == least)
        if not known and width > 1 and columns is everything:
            return ()  # each part by itself, before anything is a consequence
        return known + tuple(each for each in fits if each not in alone)

    everything = range(len(function["sketches"]))
    found = smallest_of(everything)
    if found or width == 1:
        return [found] if found else None
    each_part = [smallest_of([c for c in everything if c % width == k]) for k in range(width)]
    return None if any(not part for part in each_part) else each_part


def _fitting(function: Mapping[str, Any], asked: Sequence[Question]) -> dict[int, frozenset[int]]:
    """Give, for each column that was answered, which of its sketches are like the answer."""
    columns = {(check, number): at for at, (check, number, _) in enumerate(function["asked"])}
    fitting: dict[int, frozenset[int]] = {}
    kinds = function["kinds"]
    for question in asked:
        at = columns.get((question.check, question.number))
        if at is None or not np.isclose(function["asked"][at][2], _inputs(question), rtol=1e-5):
            continue  # another question than was frozen: its inputs came from her own code
        answer = VIEWS[function["view"]](question.answer, question.given)
        tolerance = tolerance_for(question.given.values())
        for k, part in enumerate(function["parts"]):
            value = _part(answer, part)
            found, slack = sketch(value), slack_of(value, tolerance)
            column = at * len(function["parts"]) + k
            fitting[column] = frozenset(
                place
                for place, kept in enumerate(function["sketches"][column])
                if alike([kinds[kept[0]], *kept[1:]], found, slack)
            )
    return fitting
