"""What is said of one exercise's failures: codes, candidates, what they have in common, facts.

Replay and what the checks saw by themselves are put together here, whoever did the replay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from autograder.check import Check

UNKNOWN = "UNKNOWN"
AFTER = "*"  # behind a code: what that mistake does to a function that calls the mistaken one
MOSTLY = 0.5  # share of right numbers above which no axis can be mixed up
SQUARE = "C-SQUARE"
MOST = 32  # candidate sets kept while parts are put together
# What a check sees by itself, and replayed numbers say nothing about.
STATE = frozenset(
    "SA-REINIT SA-GLOBAL-SEED SA-SEED-IGNORED SA-SEED-UNUSED SA-CLONES SA-SCALE"
    " SA-SHARED SA-OWN-WEIGHTS C-MUTATE HM-PRINTS CMP-NEW-OBJ".split()
)
# What its check tells apart from everything else, whatever other mistakes the code holds: told also
# where no replay explains the answers.
BY_ITSELF = frozenset({"HM-WIDTH"})
# What can be seen of an answer without knowing how it came to be.
PLAIN = frozenset(
    "C-NONE C-TUPLE C-COUNT C-NOT-ARRAY C-ONE-ARRAY C-NOT-TEXT C-NOT-DICT C-KEY C-NOT-OBJECT C-SWAP"
    " C-SHAPE C-NAN C-RAISED C-TIMEOUT C-DIED C-REFUSED C-NAME C-STUB HM-LINES".split()
)


class Seen(Protocol):
    """What a diagnosis reads of a check's outcome."""

    @property
    def check(self) -> Check: ...
    @property
    def status(self) -> str: ...
    @property
    def code(self) -> str | None: ...
    @property
    def slots(self) -> Mapping[str, Any]: ...


Candidates: TypeAlias = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Finding:
    """What is said about one exercise of one submission.

    Attributes
    ----------
    codes : tuple of str
        The smallest set, most telling first; ``("UNKNOWN",)`` where no set fits.
    candidates : tuple of tuple of str
        Every smallest set, where several fit; else empty.
    common : str or None
        The sentence that the candidates have in common, where one is declared.
    slots : dict
        What fills the sentences: facts of the student's own answers.
    correct_but : bool
        Only checks of robustness failed: the answer is right in the ordinary case.
    """

    codes: tuple[str, ...]
    candidates: tuple[tuple[str, ...], ...] = ()
    common: str | None = None
    slots: Mapping[str, Any] = field(default_factory=dict)
    correct_but: bool = False

    @property
    def known(self) -> bool:
        """Whether anything more than visible facts is said."""
        return any(code != UNKNOWN and code not in PLAIN for code in self.codes)


def unmet(outcomes: Iterable[Seen]) -> list[Seen]:
    """Give the outcomes of checks that ran and did not pass."""
    return [each for each in outcomes if each.status not in ("passed", "skipped")]


def settled(parts: Sequence[Candidates]) -> list[Candidates]:
    """Let a consequence stand for its mistake where another part shows that; else drop it.

    Parts that nothing else explains are left out.
    """
    found = []
    for place, part in enumerate(parts):
        shown = {
            code for n, other in enumerate(parts) if n != place for one in other for code in one
        }
        kept: dict[tuple[str, ...], None] = {}
        for one in part:
            plain = tuple(code.removesuffix(AFTER) for code in one)
            if plain == one or shown.issuperset(plain):
                kept[plain] = None
        if kept:
            found.append(tuple(kept))
    return found


def smallest(parts: Sequence[tuple[tuple[str, ...], ...]]) -> list[tuple[str, ...]]:
    """Give the smallest sets of codes that explain every part, each part having candidates."""
    sets: list[set[str]] = []
    for part in parts:
        if () in part:  # the right solution explains it
            continue
        grown = [old | set(new) for old in sets or [set()] for new in part]
        least = min(map(len, grown))
        sets = []
        for each in grown:
            if len(each) <= least + 1 and each not in sets:
                sets.append(each)
        sets = sets[:MOST]
    least = min(map(len, sets), default=0)
    return [tuple(sorted(each)) for each in sets if len(each) == least]


def visible(slots: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Give the parts of what can be seen in numbers that nothing explains, for `messages.seen`."""
    parts: dict[str, dict[str, Any]] = {}
    if slots.get("error"):
        return {"raised": {"error": slots["error"]}}
    if slots.get("nan"):
        return {"nan": {"pos": slots["nan"]}}
    if slots.get("pos"):
        parts["differs"] = {"pos": slots["pos"]}
    if "row" in slots and abs(slots.get("sum", 1.0) - 1) > 1e-5:
        parts["row_sum"] = {"row": slots["row"], "sum": slots["sum"]}
    return parts or ({"shape": {"got": slots["got"]}} if slots.get("got") else {})


def _borne_out(code: str, seen: Mapping[str, Any]) -> bool:
    """Whether what is seen fits the sentence that a check of robustness has for its failure."""
    if code == "C-BATCH":  # an axis mixed up leaves few numbers right
        return float(seen.get("right", 0.0)) <= MOSTLY
    if code == "SM-UNSTABLE":  # `exp` overflows to infinity, and that becomes nan
        return "nan" in seen
    return code != "C-INT" or "cut" in seen  # cut to whole numbers: not raised, not another number


def conclude(
    common: Callable[[Iterable[str]], str | None],
    sets: Sequence[tuple[str, ...]],
    whole: bool,
    failed: Sequence[Seen],
    seen: Mapping[str, Any],
) -> Finding:
    """Put together what replay found and what the checks saw.

    Parameters
    ----------
    common : callable
        Codes to the sentence that they have in common, or None.
    sets : sequence of tuple of str
        The smallest sets of codes that fit; empty where the right solution does.
    whole : bool
        Whether every part was explained.
    failed : sequence
        The outcomes that did not pass.
    seen : mapping
        Facts of the student's own answers.
    """
    first = failed[0]
    but = all(each.check.declared.robustness for each in failed)
    states = tuple(dict.fromkeys(each.code for each in failed if each.code in STATE))
    slots = {**seen, **first.slots}
    slots["seen_parts"] = visible(slots)
    codes = sets[0] if sets else ()
    if {each.check.declared.robustness for each in failed} == {SQUARE} and SQUARE not in codes:
        but = but and not codes  # unequal lengths only brought to light what is amiss at any
    doubtful = tuple(sets) if len(sets) > 1 else ()
    together = common({code for one in doubtful for code in one}) if doubtful else None
    if codes == ("C-NONE",) and "HM-PRINTS" in states:
        codes = ()  # printing instead of returning is the story that is told
    if codes:
        codes += tuple(each for each in states if each not in codes)
        if not whole:
            codes += (UNKNOWN,)
        return Finding(codes, doubtful, together, slots, but)
    if states:
        return Finding(states, slots=slots, correct_but=but)
    if whole and first.code == "C-CLOSED":
        return Finding(("MASK-LEAKY",), slots=slots)  # right to the tolerance, but not closed
    if but and not _borne_out(str(first.check.declared.robustness), seen):
        code = first.code if first.code in PLAIN else UNKNOWN
        if code == UNKNOWN and first.check.declared.robustness == "C-INT":
            code = "C-WHOLE"  # what came back differs, and nothing says that it was cut
        return Finding((code,), slots=slots, correct_but=True)
    if but:
        asked_for = (str(each.check.declared.robustness) for each in failed)
        return Finding(tuple(dict.fromkeys(asked_for)), slots=slots, correct_but=True)
    if first.code in PLAIN:
        return Finding((first.code,), slots=slots)
    if whole and first.code == "C-VALUES":
        return Finding(("C-FLOAT32",), slots=slots)  # right, to fewer digits than are asked for
    if whole and first.code:
        return Finding((first.code,), slots=slots)  # right numbers: what the check saw beside them
    if alone := tuple(dict.fromkeys(str(each.code) for each in failed if each.code in BY_ITSELF)):
        more = any(each.code not in BY_ITSELF for each in failed)
        return Finding((*alone, UNKNOWN) if more else alone, slots=slots)
    return Finding((UNKNOWN,), slots=slots)
