"""Yours beside target: what a student's function gave, and what it should have given.

Takes whatever came back, however odd; knows nothing of checks. Both tables are the visible
probes', which everybody may see.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.messages import Lang
from autograder.picture.parts import Grid, Kind, Numbers, Part, Sheet, Side, Words, say

NEAR = 1e-5
Tokens = Sequence[str] | tuple[Sequence[str], Sequence[str]]


def compare(yours: Any, target: Any, tokens: Tokens | None = None, lang: Lang = "en") -> Sheet:
    """Give yours and target side by side, rows that differ marked, row sums where they tell.

    Parameters
    ----------
    yours : object
        What the student's function returned; of a pair or dict, pick one table before.
    target : array of shape (n,), (n_q, n_k) or with leading axes
        Of several tables, the first that differs is shown.
    tokens : list of str, or a pair of lists (queries, keys), optional

    Returns
    -------
    Sheet
        Without parts where there is nothing to show side by side.
    """
    right = _numbers(target)
    if right is None or right.size == 0 or right.ndim == 0:
        return Sheet("", (), lang=lang)
    left = _numbers(yours)
    if left is None:
        return Sheet("", (Words(say("no_table", lang)), _only(right, tokens, lang)), lang=lang)
    if left.shape != right.shape:
        shapes = say("shapes", lang, yours=_shape(left), target=_shape(right))
        if left.ndim != right.ndim or left.size == 0 or left.ndim == 0:
            return Sheet("", (Words(shapes), _only(right, tokens, lang)), lang=lang)
        return _beside(left, right, None, (Words(shapes),), lang)
    return _beside(left, right, tokens, (), lang)


def _beside(
    yours: Numbers,
    target: Numbers,
    tokens: Tokens | None,
    before: tuple[Part, ...],
    lang: Lang,
) -> Sheet:
    same = yours.shape == target.shape
    place = _first_different(yours, target) if same else (0,) * max(target.ndim - 2, 0)
    if place:
        where = ", ".join(map(str, place))
        before = (*before, Words(say("slice", lang, place=f"[{where}]")))
    mine = _table(yours[tuple(min(p, s - 1) for p, s in zip(place, yours.shape, strict=False))])
    theirs = _table(target[place])
    kind: Kind = "weights" if _are_weights(theirs) else "values"
    marked = tuple(
        i >= len(theirs)
        or len(row) != len(theirs[i])
        or not np.allclose(row, theirs[i], rtol=NEAR, atol=NEAR)
        for i, row in enumerate(mine)
    )
    sums = kind == "weights"
    queries, keys = names(theirs.shape, tokens)
    own_queries, own_keys = (queries, keys) if same else names(mine.shape, None)
    left = Grid(mine, own_queries, own_keys, say("yours", lang), kind, sums, marked)
    right = Grid(theirs, queries, keys, say("target", lang), kind, sums)
    return Sheet("", (*before, Side((left, right))), lang=lang)


def _only(target: Numbers, tokens: Tokens | None, lang: Lang) -> Grid:
    table = _table(target[(0,) * max(target.ndim - 2, 0)])
    kind: Kind = "weights" if _are_weights(table) else "values"
    return Grid(
        table, *names(table.shape, tokens), say("target", lang), kind, sums=kind == "weights"
    )


def names(shape: tuple[int, ...], tokens: Tokens | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Name rows and columns: by tokens where they fit, else by number, as Python counts."""
    pair: tuple[Sequence[str], Sequence[str]] | None = None
    if tokens is not None and len(tokens):
        first = tokens[0]
        pair = (tokens, tokens) if isinstance(first, str) else (tokens[0], tokens[1])  # type: ignore[assignment]
    rows = tuple(pair[0]) if pair and len(pair[0]) == shape[0] else _count(shape[0])
    columns = tuple(pair[1]) if pair and len(pair[1]) == shape[1] else _count(shape[1])
    return rows, columns


def _count(many: int) -> tuple[str, ...]:
    return tuple(f"[{each}]" for each in range(many))


def _numbers(value: Any) -> Numbers | None:
    """Read an answer as numbers, as far as it is any."""
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):  # rows of different lengths, odd objects
        return None
    return array.astype(np.float64) if array.dtype.kind in "biuf" else None


def _table(array: Numbers) -> Numbers:
    return array if array.ndim == 2 else array.reshape(1, -1)


def _first_different(yours: Numbers, target: Numbers) -> tuple[int, ...]:
    """Give the leading indices of the first table that differs."""
    apart = ~np.isclose(yours, target, rtol=NEAR, atol=NEAR)
    found = np.argwhere(apart)
    lead = max(target.ndim - 2, 0)
    return tuple(int(each) for each in found[0][:lead]) if len(found) else (0,) * lead


def _are_weights(table: Numbers) -> bool:
    """Whether a right answer is a table of weights: shares that sum to 1 in each row."""
    return bool(
        np.all(np.isfinite(table))
        and table.min() >= -NEAR
        and np.allclose(table.sum(axis=-1), 1, atol=1e-3)
    )


def _shape(array: Numbers) -> str:
    inner = ", ".join(map(str, array.shape))
    return f"({inner},)" if array.ndim == 1 else f"({inner})"
