"""Says what of a hand-in's code was set aside while its files ran: lines, and the answers' folder.

None of it costs a point; it is told so that nobody wonders.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from autograder.answers import LINES, SOLUTIONS, Line

Said = tuple[str, dict[str, Any]]  # a code under ``[notice.*]`` and its slots
SHOWN = 6  # lines of one file


def said(lines: Collection[Line], absent: Collection[str]) -> list[Said]:
    """Give a sentence for each file with such lines, and one where the answers were asked for."""
    found: list[Said] = []
    for code in LINES:
        for place in sorted({place for which, place, _ in lines if which == code}):
            numbers = sorted(n for which, where, n in lines if (which, where) == (code, place))
            more = ", …" if len(numbers) > SHOWN else ""
            listed = ", ".join(map(str, numbers[:SHOWN])) + more
            found.append((code, {"file": place, "lines": listed}))
    if SOLUTIONS in absent:
        found.append(("solutions", {}))
    return found


def shared_out(every: Iterable[Said], passed: Mapping[str, bool]) -> dict[str, tuple[Said, ...]]:
    """Give each exercise what is about its own file; the rest goes to the first that fails."""
    rest = next((name for name, right in passed.items() if not right), next(iter(passed), ""))
    found: dict[str, tuple[Said, ...]] = {}
    for each in every:
        own = str(each[1].get("file", "")).removesuffix(".py")
        place = own if own in passed else rest
        found[place] = (*found.get(place, ()), each)
    return found


__all__ = ["Said", "said", "shared_out"]
