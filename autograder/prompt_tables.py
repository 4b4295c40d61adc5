"""Attention weights as Markdown tables that a prompt can quote: cells, row sums, entropy.

Reads a weights file as data only. The module knows nothing of prompts; a table says what is odd
about its numbers (not a number, rows that do not sum to 1) and never repairs them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from autograder.messages import Lang, entry, fill

Weights: TypeAlias = NDArray[np.float64]
MAX_BYTES = 16_000_000  # a file of weights
MAX_COLUMNS = 12  # wider tables become lists of the strongest places
MAX_ROWS = 48  # rows of all heads together
NOISE = 1e-12  # a difference below this is rounding, and not the same on every machine
MAX_LABEL = 24  # characters of a token


class UnreadableWeights(Exception):
    """A file or an array that is no table of weights; the message is one sentence."""


def read_weights(path: Path) -> Weights:
    """Read a ``.npy`` file as a table of weights, without running anything in it.

    Returns
    -------
    weights : ndarray of shape (n_q, n_k) or (n_heads, n_q, n_k)

    Raises
    ------
    UnreadableWeights
        Naming the file: not there, too large, not ``.npy``, Python objects, another shape.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableWeights(f"{path} is larger than {MAX_BYTES // 10**6} MB.")
        with path.open("rb") as file:
            version = np.lib.format.read_magic(file)
            reader = {
                (1, 0): np.lib.format.read_array_header_1_0,
                (2, 0): np.lib.format.read_array_header_2_0,
            }[version]
            shape, column_first, dtype = reader(file)
            content = file.read()
    except (OSError, ValueError, KeyError, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        why = f": {reason}" if reason else "; save it with np.save(file, weights)"
        raise UnreadableWeights(f"{path} cannot be read as a .npy file{why}.") from None
    if dtype.kind not in "biuf":
        raise UnreadableWeights(f"{path} holds {dtype} and not numbers.")
    if math.prod(shape) * dtype.itemsize != len(content):
        raise UnreadableWeights(f"{path} is cut or damaged: its size does not fit its shape.")
    flat = np.frombuffer(content, dtype)
    return as_weights(flat.reshape(shape, order="F" if column_first else "C"), str(path))


def as_weights(value: Any, name: str = "weights") -> Weights:
    """Give `value` as a float table of shape (n_q, n_k) or (n_heads, n_q, n_k).

    Raises
    ------
    UnreadableWeights
    """
    try:
        found = np.asarray(value)
    except (ValueError, TypeError):
        raise UnreadableWeights(f"{name} is not an array of numbers.") from None
    if found.dtype.kind not in "biuf":
        raise UnreadableWeights(f"{name} is not an array of numbers.")
    if found.ndim not in (2, 3) or 0 in found.shape:
        raise UnreadableWeights(
            f"{name} has shape {found.shape}; a table of weights has one row per query and one "
            "column per key, (n_q, n_k), or (n_heads, n_q, n_k) for several heads."
        )
    return found.astype(np.float64)


def split_tokens(tokens: str | Sequence[str]) -> list[str]:
    """Give the tokens of a sentence: cut at spaces, or the list as it is."""
    return tokens.split() if isinstance(tokens, str) else [str(each) for each in tokens]


def labels(tokens: Sequence[str] | None, count: int, lang: Lang) -> list[str]:
    """Name `count` rows or columns; a token that comes twice is numbered, ``the#1 the#2``."""
    if tokens is None:
        return [_say("token", lang, number=each) for each in range(1, count + 1)]
    clean = [" ".join(each.replace("|", "¦").split()) or "␣" for each in tokens]
    clean = [each if len(each) <= MAX_LABEL else each[: MAX_LABEL - 1] + "…" for each in clean]
    times: dict[str, int] = {}
    named: list[str] = []
    for each in clean:
        times[each] = times.get(each, 0) + 1
        named.append(f"{each}#{times[each]}" if clean.count(each) > 1 else each)
    return named


def weights_table(
    weights: Weights, queries: Sequence[str] | None, keys: Sequence[str] | None, lang: Lang = "en"
) -> str:
    """Write weights as a table, one row per query, with the row sums; one table per head.

    More than `MAX_COLUMNS` keys: a list with each row's strongest places instead.
    """
    rows, columns = labels(queries, weights.shape[-2], lang), labels(keys, weights.shape[-1], lang)
    wide = len(columns) > MAX_COLUMNS
    parts = [_odd(weights, lang)]
    heads = weights if weights.ndim == 3 else weights[np.newaxis]
    shown = max(3, MAX_ROWS // len(heads))
    for number, head in enumerate(heads[: MAX_ROWS // 3], 1):
        if len(heads) > 1:
            parts.append(_say("head", lang, number=number) + "\n")
        parts.append((_strongest if wide else _grid)(head[:shown], rows, columns, lang))
        if len(head) > shown:
            parts.append(_say("left", lang, count=len(head) - shown))
        parts.append("")
    if len(heads) > MAX_ROWS // 3:
        parts.append(_say("heads_left", lang, count=len(heads) - MAX_ROWS // 3))
    parts.append(_say("strong" if wide else "rounded", lang, count=3))
    return "\n".join(each for each in parts if each is not None)


def entropy_table(weights: Weights, queries: Sequence[str] | None, lang: Lang = "en") -> str:
    """Say of each row how many words it looks at: the exponential of its entropy."""
    rows = labels(queries, weights.shape[-2], lang)
    heads = weights if weights.ndim == 3 else weights[np.newaxis]
    shown = max(3, MAX_ROWS // len(heads))
    head_row = [_say(key, lang) for key in ("row", "looks_at", "entropy")]
    lines = [*_head(head_row)]
    for number, head in enumerate(heads[: MAX_ROWS // 3], 1):
        before = f"{_say('head', lang, number=number)}, " if len(heads) > 1 else ""
        for name, row in zip(rows, head[:shown], strict=False):
            lines.append(_line([before + name, *_spread(row, lang)]))
    return "\n".join(lines)


def difference_table(a: Weights, b: Weights, rows: Sequence[str], lang: Lang = "en") -> str:
    """Write A - B with its signs, by position."""
    difference = a - b
    if len(rows) <= MAX_COLUMNS:
        corner = _say("corner", lang)
        return "\n".join(
            _head([corner, *rows])
            + [
                _line([name, *(_cell(w, signed=True) for w in row)])
                for name, row in zip(rows, difference, strict=True)
            ]
        )
    lines = []
    for name, row in zip(rows[:MAX_ROWS], difference, strict=False):
        order = np.argsort(-np.abs(row), kind="stable")[:3]
        lines.append(f"- {name}: " + ", ".join(f"{rows[j]} {_cell(row[j], True)}" for j in order))
    return "\n".join([*lines, _say("strong", lang, count=3)])


def divergence_table(a: Weights, b: Weights, rows: Sequence[str], lang: Lang = "en") -> str:
    """Say of each position how far apart its two rows are, and where each looks most."""
    keys = ("position", "divergence", "strongest_a", "strongest_b")
    lines = _head([_say(key, lang) for key in keys])
    for name, p, q in list(zip(rows, a, b, strict=True))[:MAX_ROWS]:
        apart = [
            (x * math.log(2 * x / (x + y)) if x > 0 else 0.0)
            + (y * math.log(2 * y / (x + y)) if y > 0 else 0.0)
            for x, y in zip(p.tolist(), q.tolist(), strict=True)
        ]
        held = _is_distribution(p) and _is_distribution(q)
        divergence = f"{math.fsum(apart) / 2:.3f}" if held else "nan"
        lines.append(_line([name, divergence, _top(p, rows), _top(q, rows)]))
    return "\n".join(lines)


# Parts of tables


def _say(key: str, lang: Lang, **slots: object) -> str:
    return fill(entry("ui.prompt", lang).get(key, key), slots)


def _head(cells: Sequence[str]) -> list[str]:
    return [_line(cells), "|" + "---|" * len(cells)]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(weight: float, signed: bool = False) -> str:
    number = float(weight)
    if not math.isfinite(number):
        return str(number)
    if number == 0 or (signed and abs(number) < NOISE):
        return "0"
    if abs(number) < 0.005:
        return "0.00"  # without a sign
    sign = "+" if signed else ""
    return f"{number:{sign}.2f}" if abs(number) < 1000 else f"{number:{sign}.2g}"


def _is_distribution(row: Weights) -> bool:
    return bool(np.all(row >= 0)) and abs(math.fsum(row.tolist()) - 1) <= 1e-3


def _sum(row: Weights, lang: Lang) -> str:
    with np.errstate(all="ignore"):
        total = float(row.sum())
    near = abs(total - 1) <= 1e-3
    return "1.00" if near else _say("not_one", lang, sum=_cell(total))


def _odd(weights: Weights, lang: Lang) -> str | None:
    places = np.argwhere(~np.isfinite(weights))
    if not len(places):
        return None
    first = ", ".join(str(int(each)) for each in places[0])
    return _say("not_finite", lang, place=f"[{first}]") + "\n"


def _grid(head: Weights, rows: list[str], columns: list[str], lang: Lang) -> str:
    lines = _head([_say("corner", lang), *columns, _say("sum", lang)])
    for name, row in zip(rows, head, strict=False):
        lines.append(_line([name, *(_cell(w) for w in row), _sum(row, lang)]))
    return "\n".join(lines)


def _strongest(head: Weights, rows: list[str], columns: list[str], lang: Lang) -> str:
    lines = []
    for name, row in zip(rows, head, strict=False):
        order = np.argsort(-np.nan_to_num(row, nan=-np.inf), kind="stable")
        places = ", ".join(f"{columns[j]} {_cell(row[j])}" for j in order[:3])
        with np.errstate(all="ignore"):
            rest = _cell(float(row[order[3:]].sum()))
        slots = {"row": name, "places": places, "count": len(order) - 3, "rest": rest}
        lines.append(_say("strongest_places", lang, **slots, sum=_sum(row, lang)))
    return "\n".join(lines)


def _spread(row: Weights, lang: Lang) -> list[str]:
    if not _is_distribution(row):
        return [_say("no_distribution", lang, sum=_sum(row, lang)), "nan"]
    spread = -math.fsum(w * math.log(w) for w in row.tolist() if w > 0) + 0.0
    return [
        _say("words", lang, count=f"{math.exp(spread):.1f}"),
        _say("nats", lang, number=f"{spread:.2f}"),
    ]


def _top(row: Weights, columns: Sequence[str]) -> str:
    if not _is_distribution(row):
        return "nan"
    place = int(np.argmax(row))
    return f"{columns[place]} {_cell(row[place])}"
