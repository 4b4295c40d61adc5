"""What runs after a prediction of the quiz: questions to the student's functions, and the numbers.

A demonstration is asked and frozen as a picture's scene is: her own functions answer where they
pass. The module knows no right answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.messages import Lang
from autograder.picture.parts import Grid, Part, Table, say, words_looked_at
from autograder.scenes import BITES, SENTENCE, Found, Scene, open_places, vectors


@dataclass(frozen=True)
class Demo:
    """What is run for one question.

    Attributes
    ----------
    scene : Scene
    code : str
        What was run, as one could type it.
    show : callable
        Numbers to parts of a picture.
    """

    scene: Scene
    code: str
    show: Callable[[Found, Lang], list[Part]]


def _rows(student: Any, lang: Lang, found: Found) -> Found:
    rows = np.array([[0.66, 0.24, 0.10], [0.60, 0.20, 0.10], [1 / 3] * 3, [1.0, 0, 0]])
    return {"rows": rows}


def _shift(student: Any, lang: Lang, found: Found) -> Found:
    row = np.array([1.0, 2.0, 3.0])
    return {"plain": student.softmax(row), "moved": student.softmax(row + 1000)}


def _widths(student: Any, lang: Lang, found: Found) -> Found:
    rng = np.random.default_rng(1)
    spread = []
    for d_k in (64, 256):
        Q, K = rng.normal(size=(60, d_k)), rng.normal(size=(20, d_k))
        weights = student.softmax(student.attention_scores(Q, K) * math.sqrt(d_k))
        spread.append(float(np.mean([words_looked_at(row) for row in weights])))
    return {"words": np.array(spread)}


def _mirror(student: Any, lang: Lang, found: Found) -> Found:
    _, weights = student.SelfAttention(8, 4, 3).forward(vectors(SENTENCE[lang][:3]))
    return {"weights": weights}


def _masked(student: Any, lang: Lang, found: Found) -> Found:
    X = vectors(SENTENCE[lang])
    return {"weights": student.masked_attention(X, X, X, open_places(6))[1]}


def _after(student: Any, lang: Lang, found: Found) -> Found:
    return {"rows": student.softmax(np.zeros((3, 3))) * open_places(3)}


def _last(student: Any, lang: Lang, found: Found) -> Found:
    X = vectors(SENTENCE[lang])
    _, closed = student.masked_attention(X, X, X, open_places(6))
    _, whole = student.masked_attention(X, X, X)
    return {"rows": np.array([closed[-1], whole[-1]])}


def _shapes(student: Any, lang: Lang, found: Found) -> Found:
    X, W = vectors(SENTENCE[lang][:5], 16), np.eye(16)
    one = np.shape(student.multi_head_attention(X, W, W, W, W, 1)[1])
    eight = np.shape(student.multi_head_attention(X, W, W, W, W, 8)[1])
    return {"one": np.array(one, float), "eight": np.array(eight, float), "size": 4.0 * W.size}


def _swap(student: Any, lang: Lang, found: Found) -> Found:
    attention = student.SelfAttention(8, 4, 3)
    tables = [attention.forward(vectors(each))[1] for each in (BITES[lang], BITES[lang][::-1])]
    return {"forth": tables[0], "back": tables[1]}


def _chance(student: Any, lang: Lang, found: Found) -> Found:
    X = vectors("The cat sat on the mat".split())
    cells = [student.SelfAttention(8, 4, 3, s).forward(X)[1][2, 1] for s in range(1, 6)]
    return {"cells": np.array(cells, dtype=float)}


def _double(student: Any, lang: Lang, found: Found) -> Found:
    sizes = []
    for n in (6, 12):
        X = np.ones((n, 4))
        sizes.append(float(np.size(student.scaled_dot_product_attention(X, X, X)[1])))
    return {"sizes": np.array(sizes)}


def _numbered(values: Any, lang: Lang, names: tuple[str, ...] = ()) -> Grid:
    rows = names or tuple(f"[{each}]" for each in range(len(values)))
    columns = tuple(f"[{each}]" for each in range(len(values[0])))
    return Grid(np.asarray(values, dtype=float), rows, columns, sums=True)


def _shape(found: Any) -> str:
    return f"({', '.join(f'{each:.0f}' for each in found)})"


def _show_shift(found: Found, lang: Lang) -> list[Part]:
    names = ("+ 0", "+ 1000")
    return [_numbered([found["plain"], found["moved"]], lang, names)]


def _show_widths(found: Found, lang: Lang) -> list[Part]:
    words = (say("words", lang, count=f"{each:.1f}") for each in found["words"].tolist())
    return [Table(("d_k", ""), tuple(zip(("64", "256"), words, strict=True)))]


def _tokens(key: str, count: int) -> Callable[[Found, Lang], list[Part]]:
    def show(found: Found, lang: Lang) -> list[Part]:
        tokens = tuple(SENTENCE[lang][:count])
        return [Grid(found[key], tokens, tokens, sums=True)]

    return show


def _show_last(found: Found, lang: Lang) -> list[Part]:
    tokens = tuple(SENTENCE[lang])
    names = (say("masked_row", lang), say("whole_row", lang))
    return [Grid(found["rows"], names, tokens, tokens[-1], sums=True)]


def _show_shapes(found: Found, lang: Lang) -> list[Part]:
    size = f"{found['size']:.0f}"
    head = (say("heads", lang), say("parameters", lang), say("shape", lang))
    return [Table(head, (("1", size, _shape(found["one"])), ("8", size, _shape(found["eight"]))))]


def _show_swap(found: Found, lang: Lang) -> list[Part]:
    forth, back = tuple(BITES[lang]), tuple(BITES[lang][::-1])
    return [Grid(found["forth"], forth, forth), Grid(found["back"], back, back)]


def _show_chance(found: Found, lang: Lang) -> list[Part]:
    seeds = tuple((f"seed={seed}", f"{w:.2f}") for seed, w in enumerate(found["cells"].tolist(), 1))
    return [Table(("", "sat→cat"), seeds)]


def _show_double(found: Found, lang: Lang) -> list[Part]:
    sizes = found["sizes"].tolist()
    rows = tuple((str(n), f"{size:.0f}") for n, size in zip((6, 12), sizes, strict=True))
    return [Table(("n", say("numbers", lang)), rows)]


MASKED = "masked_attention(X, X, X, causal_mask(6))"
MULTI = "[multi_head_attention(X, W, W, W, W, n_heads)[1].shape for n_heads in (1, 8)]"

DEMOS: Mapping[str, Demo] = {
    "rows": Demo(
        Scene("rows", (), _rows),
        "rows.sum(axis=-1)",
        lambda found, lang: [
            _numbered(found["rows"], lang, ("0.66 …", "0.60 …", "0.33 …", "1.00 …"))
        ],
    ),
    "shift": Demo(
        Scene("shift", ("softmax",), _shift),
        "softmax([1, 2, 3]), softmax([1001, 1002, 1003])",
        _show_shift,
    ),
    "widths": Demo(
        Scene("widths", ("softmax", "attention_scores"), _widths),
        "softmax(attention_scores(Q, K) * d_k**0.5)  # d_k = 64, 256; 20 keys",
        _show_widths,
    ),
    "mirror": Demo(
        Scene("mirror", ("self_attention",), _mirror),
        "SelfAttention(8, 4, 3).forward(X)[1]",
        _tokens("weights", 3),
    ),
    "first": Demo(
        Scene("first", ("masked_attention",), _masked), f"{MASKED}[1]", _tokens("weights", 6)
    ),
    "after": Demo(
        Scene("after", ("softmax",), _after),
        "softmax(np.zeros((3, 3))) * causal_mask(3)",
        lambda found, lang: [_numbered(found["rows"], lang)],
    ),
    "last": Demo(
        Scene("last", ("masked_attention",), _last),
        f"{MASKED}[1][-1], masked_attention(X, X, X)[1][-1]",
        _show_last,
    ),
    "shape": Demo(Scene("shape", ("multi_head_attention",), _shapes), MULTI, _show_shapes),
    "parameters": Demo(
        Scene("parameters", ("multi_head_attention",), _shapes),
        f"4 * W.size; {MULTI}",
        _show_shapes,
    ),
    "swap": Demo(
        Scene("swap", ("self_attention",), _swap),
        "[attention.forward(X)[1] for X in (forth, back)]",
        _show_swap,
    ),
    "chance": Demo(
        Scene("chance", ("self_attention",), _chance),
        "[SelfAttention(8, 4, 3, seed).forward(X)[1][2, 1] for seed in range(1, 6)]",
        _show_chance,
    ),
    "double": Demo(
        Scene("double", ("scaled_dot_product_attention",), _double),
        "[scaled_dot_product_attention(X, X, X)[1].size for X in (six, twelve)]",
        _show_double,
    ),
}
