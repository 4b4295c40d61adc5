"""What the pictures at the end of each exercise ask for: questions to functions, no answers.

A scene puts questions to a `student` and keeps the numbers. At build time the reference answers
and the numbers are frozen; on a student's machine her own functions answer where they pass. The
module holds inputs only: no implementation of what an exercise asks for.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.messages import Lang
from autograder.playback import decode, encode
from autograder.student import LocalStudent

Found = dict[str, Any]  # arrays, numbers and texts by name
LANGS: tuple[Lang, ...] = ("en", "zh")
DIGITS = 6

SENTENCE: Mapping[Lang, list[str]] = {
    "en": "The cat sat on the mat".split(),
    "zh": "我 喜欢 自然 语言 处理 。".split(),
}
OTHER: Mapping[Lang, list[str]] = {
    "en": "The dog sat on the rug".split(),
    "zh": "他 喜欢 自然 风景 照片 。".split(),
}
BITES: Mapping[Lang, list[str]] = {"en": "dog bites man".split(), "zh": "狗 咬 人".split()}

WIDTHS = (4, 16, 64, 256, 1024)  # of a key, d_k
SIGNS, ASCII_SIGNS = "·░▒▓█", ".:-=#"
N_HEADS = 4


@dataclass(frozen=True)
class Scene:
    """One part of a picture.

    Attributes
    ----------
    name : str
    needs : tuple of str
        The exercises whose functions answer.
    ask : callable
        ``(student, language, found so far) -> numbers by name``.
    """

    name: str
    needs: tuple[str, ...]
    ask: Callable[[Any, Lang, Found], Found]


def vectors(tokens: list[str], d_model: int = 8) -> Any:
    """Give the lessons' toy embedding: one fixed vector a token."""
    return np.array(
        [np.random.default_rng(zlib.crc32(t.encode())).normal(size=d_model) for t in tokens]
    )


def open_places(n: int) -> Any:
    """Give who may look at whom in the pictures: so far and no further, written out by hand."""
    rows = ("#.....", "##....", "###...", "####..", "#####.", "######")
    return np.array([[sign == "#" for sign in row[:n]] for row in rows[:n]])


# Questions


def _rows(student: Any, lang: Lang, found: Found) -> Found:
    return {
        "small": student.softmax(np.array([2, 1, 0.1])),
        "large": student.softmax(np.array([1000.0, 2000.0, 3000.0])),
    }


def _spread(student: Any, lang: Lang, found: Found) -> Found:
    rng = np.random.default_rng(0)
    table = []
    for d_k in WIDTHS:
        scaled = student.attention_scores(rng.normal(size=(100, d_k)), rng.normal(size=(20, d_k)))
        line = [float(d_k)]
        for scores in (scaled * math.sqrt(d_k), scaled):
            biggest = student.softmax(scores).max(axis=-1)
            line += [float(scores.std()), float(biggest.mean())]
        table.append(line)
    return {"table": np.array(table)}


def _mix(student: Any, lang: Lang, found: Found) -> Found:
    X = vectors(SENTENCE[lang])
    output, weights = student.scaled_dot_product_attention(X, X, X[:, :2])
    return {"values": X[:, :2], "output": output, "weights": weights}


def _views(student: Any, lang: Lang, found: Found) -> Found:
    matrices = np.random.default_rng(0).normal(0, 0.4, size=(3, 8, 3))
    Q, K, V = student.project_qkv(vectors(SENTENCE[lang]), *matrices)
    return {"Q": Q, "K": K, "V": V}


def _mirror(student: Any, lang: Lang, found: Found) -> Found:
    _, weights = student.SelfAttention(8, 4, 3).forward(vectors(SENTENCE[lang]))
    return {"weights": weights}


def _drawings(student: Any, lang: Lang, found: Found) -> Found:
    ramp = np.linspace(0, 1, 6)
    weights = np.minimum.outer(ramp, ramp)
    return {
        f"{speech}{kind}": student.ascii_heatmap(weights, SENTENCE[speech], chars=signs)
        for speech in LANGS
        for kind, signs in (("", SIGNS), (" ascii", ASCII_SIGNS))
    }


def _triangle(student: Any, lang: Lang, found: Found) -> Found:
    return {"mask": np.asarray(student.causal_mask(len(SENTENCE[lang])), dtype=float)}


def _before(student: Any, lang: Lang, found: Found) -> Found:
    X, may = vectors(SENTENCE[lang][:5]), open_places(5)
    _, before = student.masked_attention(X, X, X, may)
    _, everywhere = student.masked_attention(X, X, X)
    return {"before": before, "after": everywhere * may}


def _tape(student: Any, lang: Lang, found: Found) -> Found:
    X = np.arange(24.0).reshape(4, 6)
    heads = student.split_heads(X, 3)
    back = student.concat_heads(heads)
    return {"heads": heads, "scrambled": X.reshape(3, 4, 2), "apart": float(abs(back - X).max())}


def _matrices() -> Any:
    return np.random.default_rng(4).normal(0, 0.4, size=(4, 16, 16))


def _heads(student: Any, lang: Lang, found: Found) -> Found:
    X = vectors(SENTENCE[lang], 16)
    _, weights = student.multi_head_attention(X, *_matrices(), N_HEADS)
    return {"weights": weights}


def _small_ones(student: Any, lang: Lang, found: Found) -> Found:
    X, (W_q, W_k, W_v, W_o) = vectors(SENTENCE[lang], 16), _matrices()
    _, weights = student.multi_head_attention(X, W_q, W_k, W_v, W_o, N_HEADS)
    apart = 0.0
    for number in range(N_HEADS):
        columns = slice(4 * number, 4 * number + 4)
        small = student.SelfAttention(16, 4, 4)
        small.W_q, small.W_k, small.W_v = W_q[:, columns], W_k[:, columns], W_v[:, columns]
        apart = max(apart, float(abs(small.forward(X)[1] - weights[number]).max()))
    return {"apart": apart}


def _pairs(student: Any, lang: Lang, found: Found) -> Found:
    attention = student.SelfAttention(8, 4, 3)
    asked = {
        "A": SENTENCE[lang],
        "B": OTHER[lang],
        "bites": BITES[lang],
        "bitten": BITES[lang][::-1],
    }
    return {name: attention.forward(vectors(tokens))[1] for name, tokens in asked.items()}


def _measures(student: Any, lang: Lang, found: Found) -> Found:
    A, B = found["A"], found["B"]
    return {
        "difference": student.attention_difference(A, B),
        "entropies": np.array([student.row_entropy(A), student.row_entropy(B)]),
        "divergence": student.js_divergence(A, B),
        "agreement": float(student.argmax_agreement(A, B)),
        "distance": float(student.frobenius_distance(A, B)),
    }


def _in_order(student: Any, lang: Lang, found: Found) -> Found:
    tables = []
    for tokens in (BITES[lang], BITES[lang][::-1]):
        X = vectors(tokens)
        tables.append(student.masked_attention(X, X, X, open_places(3))[1])
    return {"bites causal": tables[0], "bitten causal": tables[1]}


SCENES: Mapping[str, tuple[Scene, ...]] = {
    "softmax": (Scene("rows", ("softmax",), _rows),),
    "attention_scores": (Scene("spread", ("softmax", "attention_scores"), _spread),),
    "scaled_dot_product_attention": (Scene("mix", ("scaled_dot_product_attention",), _mix),),
    "project_qkv": (Scene("views", ("project_qkv",), _views),),
    "self_attention": (Scene("mirror", ("self_attention",), _mirror),),
    "ascii_heatmap": (Scene("drawings", ("ascii_heatmap",), _drawings),),
    "causal_mask": (Scene("triangle", ("causal_mask",), _triangle),),
    "masked_attention": (Scene("before", ("masked_attention",), _before),),
    "heads": (Scene("tape", ("heads",), _tape),),
    "multi_head_attention": (
        Scene("heads", ("multi_head_attention",), _heads),
        Scene("small ones", ("self_attention", "multi_head_attention"), _small_ones),
    ),
    "compare_sentences": (
        Scene("pairs", ("self_attention",), _pairs),
        Scene("measures", ("compare_sentences",), _measures),
        Scene("in order", ("masked_attention",), _in_order),
    ),
}


# Frozen numbers


def freeze(
    exercise: str, namespace: Mapping[str, Any], have: Collection[str] | None = None
) -> dict[str, Any]:
    """Give the numbers of an exercise's picture as the reference answers, as JSON.

    Parameters
    ----------
    have : collection of str, optional
        The exercises of the kit; a picture that needs others is left out.

    Returns
    -------
    dict
        Language to scene to the encoded numbers; the second language only where it differs.
    """
    scenes_of = SCENES.get(exercise, ())
    if have is not None and not {need for each in scenes_of for need in each.needs} <= set(have):
        return {}
    frozen: dict[str, Any] = {}
    for lang in LANGS:
        student, found, scenes = LocalStudent(namespace), Found(), {}
        for scene in scenes_of:
            numbers = {key: cut(value) for key, value in scene.ask(student, lang, found).items()}
            found |= numbers
            scenes[scene.name] = encode(numbers)
        if lang == "en" or scenes != frozen["en"]:
            frozen[lang] = scenes
    return frozen if frozen.get("en") else {}


def thaw(frozen: Mapping[str, Any], lang: Lang) -> dict[str, Found]:
    """Give the frozen numbers of a picture, scene by scene."""
    scenes = frozen.get(lang, frozen.get("en", {}))
    return {name: decode(numbers) for name, numbers in scenes.items()}


def cut(value: Any) -> Any:
    """Cut floats to six decimals, so that every machine draws the same picture."""
    if isinstance(value, np.ndarray):
        return np.round(value.astype(float), DIGITS) + 0.0
    return round(float(value), DIGITS) + 0.0 if isinstance(value, float | np.generic) else value


def fits(numbers: Found, frozen: Found) -> bool:
    """Whether answers can be drawn where frozen numbers can: same names, kinds and shapes."""
    return numbers.keys() == frozen.keys() and all(
        _like(numbers[key], frozen[key]) for key in frozen
    )


def _like(value: Any, frozen: Any) -> bool:
    if isinstance(frozen, str):
        return isinstance(value, str) and len(value) < 10_000
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return False
    return array.shape == np.shape(frozen) and bool(np.isfinite(array).all())
