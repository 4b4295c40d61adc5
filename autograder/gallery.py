"""The picture that each exercise ends with: numbers of its scenes in, a sheet of parts out.

Says what is shown and in which words; how it is drawn, and whose numbers they are, is told
elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.messages import Lang
from autograder.picture.parts import (
    Bars,
    Drawn,
    Grid,
    Part,
    Points,
    Side,
    Table,
    Words,
    say,
    words_looked_at,
)
from autograder.scenes import BITES, N_HEADS, OTHER, SENTENCE, Found

Parts = list[Part]


def parts_of(exercise: str, found: Found, lang: Lang, *, ascii: bool = False) -> Parts:
    """Give the parts of an exercise's picture.

    Parameters
    ----------
    found : dict
        The numbers of all its scenes.
    ascii : bool
        Whether pictures that come as text should hold ASCII signs only.
    """
    if exercise == "ascii_heatmap":
        return _drawings(found, lang, ascii)
    return _SHEETS[exercise](found, lang)


def frames_of(exercise: str, parts: Sequence[Part]) -> list[list[Part]]:
    """Give the steps of an animation: a causal triangle appears row by row."""
    if exercise != "causal_mask":
        return []
    mask, *rest = parts
    assert isinstance(mask, Grid)
    steps: list[list[Part]] = [
        [Grid(mask.values[:n], mask.rows[:n], mask.columns, mask.title, mask.kind)]
        for n in range(1, len(mask.rows) + 1)
    ]
    steps[-1] += rest
    return steps


def _grid(values: Any, tokens: Sequence[str], title: str = "", **more: Any) -> Grid:
    return Grid(np.asarray(values, dtype=float), tuple(tokens), tuple(tokens), title, **more)


def _softmax(found: Found, lang: Lang) -> Parts:
    small = [float(each) for each in found["small"]]
    large = [float(each) for each in found["large"]]
    scores = ("1000", "2000", "3000")
    return [
        Bars(("2", "1", "0.1"), tuple(small), say("softmax_small", lang)),
        Table(
            ("", *scores, say("sum", lang)),
            (
                (say("softmax_naive", lang), "nan", "nan", "nan", "nan"),
                (say("softmax_yours", lang), *(f"{w:.2f}" for w in large), f"{sum(large):.2f}"),
            ),
            say("softmax_large", lang),
        ),
        Bars(("a", "b", "c"), (0.6, 0.2, 0.1), say("softmax_tutorial", lang)),
        Words(say("softmax_point", lang)),
    ]


def _attention_scores(found: Found, lang: Lang) -> Parts:
    table = found["table"].tolist()
    d_k = tuple(f"{row[0]:.0f}" for row in table)
    head = ("d_k", *(say(key, lang) for key in ("spread", "biggest", "spread_s", "biggest_s")))
    rows = tuple(
        (name, f"{row[1]:.1f}", f"{row[2]:.2f}", f"{row[3]:.1f}", f"{row[4]:.2f}")
        for name, row in zip(d_k, table, strict=True)
    )
    names = tuple(f"d_k {each}" for each in d_k)
    return [
        Table(head, rows, say("dk_table", lang)),
        Bars(names, tuple(row[2] for row in table), say("dk_raw", lang)),
        Bars(names, tuple(row[4] for row in table), say("dk_scaled", lang)),
        Words(say("dk_point", lang)),
    ]


def _sdpa(found: Found, lang: Lang) -> Parts:
    tokens, place = SENTENCE[lang], 2
    row, name = found["weights"][place].tolist(), tokens[place]
    mixture = " + ".join(f"{weight:.2f}·{t}" for weight, t in zip(row, tokens, strict=True))
    x, y = found["output"][place].tolist()
    values = found["values"]
    return [
        Bars(tuple(tokens), tuple(row), say("one_token", lang, token=name)),
        Words(f"{name} = {mixture}"),
        Points(
            tuple(tokens),
            tuple(values[:, 0].tolist()),
            tuple(values[:, 1].tolist()),
            (say("output_of", lang, token=name), x, y),
            say("hull", lang),
        ),
        Words(say("hull_point", lang, token=name)),
    ]


def _project(found: Found, lang: Lang) -> Parts:
    tokens = tuple(SENTENCE[lang])
    grids = tuple(
        Grid(found[name], tokens, ("0", "1", "2"), say(f"view_{name}", lang), "signed", most=3.0)
        for name in "QKV"
    )
    return [Side(grids), Words(say("views_point", lang))]


def _self_attention(found: Found, lang: Lang) -> Parts:
    tokens, weights = SENTENCE[lang], found["weights"]
    gap = abs(weights - weights.T)
    i, j = max(
        ((i, j) for i in range(len(gap)) for j in range(len(gap)) if _differ(tokens[i], tokens[j])),
        key=lambda pair: float(gap[pair]) + (weights[pair] > weights[pair[::-1]]) * 1e-9,
    )
    seen = say("mirror_pair", lang, a=tokens[i], b=tokens[j], ab=_two(weights[i, j]))
    back = say("mirror_pair", lang, a=tokens[j], b=tokens[i], ab=_two(weights[j, i]))
    return [
        _grid(weights, tokens, say("mirror", lang), sums=True),
        _grid(gap, tokens, say("mirror_gap", lang), kind="gap"),
        Words(say("mirror_point", lang, one=seen, other=back)),
        Words(say("chance", lang)),
    ]


def _differ(one: str, other: str) -> bool:
    """Whether two tokens are words, and sound different: not The and the."""
    return one.isalnum() and other.isalnum() and one.lower() != other.lower()


def _two(value: Any) -> str:
    return f"{float(value):.2f}"


def _drawings(found: Found, lang: Lang, ascii: bool) -> Parts:
    kind = " ascii" if ascii else ""
    return [
        Side(
            (
                Drawn(found[f"en{kind}"], say("drawn_en", lang)),
                Drawn(found[f"zh{kind}"], say("drawn_zh", lang)),
            )
        ),
        Words(say("drawn_point", lang)),
    ]


def _causal_mask(found: Found, lang: Lang) -> Parts:
    mask, tokens = found["mask"], SENTENCE[lang]
    count = {"open": int(mask.sum()), "all": mask.size}
    return [
        _grid(mask, tokens, say("triangle", lang), kind="mask"),
        Words(say("triangle_point", lang, **count)),
    ]


def _masked(found: Found, lang: Lang) -> Parts:
    tokens = SENTENCE[lang][: len(found["before"])]
    before = _grid(found["before"], tokens, say("mask_before", lang), sums=True)
    short = tuple(bool(each) for each in found["after"].sum(axis=-1) < 0.999)
    after = _grid(
        found["after"], tokens, say("mask_after", lang), sums=True, marked=short, mark="not_one"
    )
    return [
        Side((before, after)),
        Words(say("mask_point", lang, token=tokens[0], weight=_two(found["before"][0, 0]))),
    ]


def _heads(found: Found, lang: Lang) -> Parts:
    tokens = tuple(SENTENCE[lang][:4])
    parts: Parts = [Words(say("tape", lang))]
    for key, name in (("tape_right", "heads"), ("tape_scrambled", "scrambled")):
        rows = tokens if name == "heads" else ("?",) * 4
        parts.append(Words(say(key, lang)))
        parts.append(
            Side(
                tuple(
                    Grid(head, rows, ("", ""), say("head", lang, number=n), "whole", most=24.0)
                    for n, head in enumerate(found[name])
                )
            )
        )
    same = "tape_back" if found["apart"] == 0 else "tape_not_back"
    return [*parts, Words(say(same, lang, apart=f"{found['apart']:.1g}"))]


def _multi_head(found: Found, lang: Lang) -> Parts:
    tokens, weights = SENTENCE[lang], found["weights"]
    names = tuple(say("head", lang, number=n) for n in range(len(weights)))
    spread = [sum(words_looked_at(row) for row in head) / len(head) for head in np.asarray(weights)]
    return [
        Side(tuple(_grid(head, tokens, name) for head, name in zip(weights, names, strict=True))),
        Bars(
            names,
            tuple(spread),
            say("spread_of_heads", lang),
            most=float(len(tokens)),
            words=tuple(say("words", lang, count=f"{each:.1f}") for each in spread),
        ),
        Words(say("small_ones", lang, count=N_HEADS, apart=f"{found['apart']:.1f}")),
        Words(say("chance", lang)),
    ]


def _compare(found: Found, lang: Lang) -> Parts:
    tokens, others = SENTENCE[lang], OTHER[lang]
    positions = [a if a == b else f"{a}/{b}" for a, b in zip(tokens, others, strict=True)]
    looks = np.exp(found["entropies"])
    head = ("", *(say(key, lang) for key in ("words_a", "words_b", "divergence")))
    rows = tuple(
        (name, f"{a:.1f}", f"{b:.1f}", f"{apart:.3f}")
        for name, a, b, apart in zip(positions, *looks, found["divergence"], strict=True)
    )
    return [
        Side(
            (
                _grid(found["A"], tokens, f"A: {' '.join(tokens)}"),
                _grid(found["B"], others, f"B: {' '.join(others)}"),
            )
        ),
        _grid(found["difference"], positions, say("difference", lang), kind="difference"),
        Table(head, rows, say("measures", lang)),
        Words(
            say(
                "measures_point",
                lang,
                agreement=_two(found["agreement"]),
                distance=_two(found["distance"]),
            )
        ),
        *_bites(found, lang),
    ]


def _bites(found: Found, lang: Lang) -> Parts:
    forth, back = BITES[lang], BITES[lang][::-1]
    turned = _apart(found["bites"], found["bitten"])
    causal = _apart(found["bites causal"], found["bitten causal"])
    return [
        Side(
            (
                _grid(found["bites"], forth, " ".join(forth)),
                _grid(found["bitten"], back, " ".join(back)),
            )
        ),
        Words(say("turned", lang, apart=turned)),
        Side(
            (
                _grid(found["bites causal"], forth, say("with_mask", lang, said=" ".join(forth))),
                _grid(found["bitten causal"], back, say("with_mask", lang, said=" ".join(back))),
            )
        ),
        Words(say("not_turned", lang, apart=causal)),
        Words(say("chance", lang)),
    ]


def _apart(one: Any, other: Any) -> str:
    """Give how far a table is from the other with rows and columns turned around."""
    return f"{float(abs(one - other[::-1, ::-1]).max()):.2f}"


_SHEETS: Mapping[str, Callable[[Found, Lang], Parts]] = {
    "softmax": _softmax,
    "attention_scores": _attention_scores,
    "scaled_dot_product_attention": _sdpa,
    "project_qkv": _project,
    "self_attention": _self_attention,
    "causal_mask": _causal_mask,
    "masked_attention": _masked,
    "heads": _heads,
    "multi_head_attention": _multi_head,
    "compare_sentences": _compare,
}
