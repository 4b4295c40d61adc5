"""Looks all signs up at once in an array of characters."""

import unicodedata

import numpy as np


def columns(text):
    return sum({"W": 2, "F": 2}.get(unicodedata.east_asian_width(c), 1) for c in text)


def centred(text, size):
    left = (size - columns(text)) // 2
    return " " * left + text + " " * (size - columns(text) - left)


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    weights = np.asarray(weights, dtype=np.float64)
    queries, keys = tokens if isinstance(tokens, tuple) else (tokens, tokens)
    scaled = np.where(np.isnan(weights), 0.0, weights) * len(chars)
    level = np.clip(np.floor(scaled), 0, len(chars) - 1).astype(int)
    signs = np.array(list(chars))[level]
    size = 2 + max(columns(t) for t in list(queries) + list(keys))
    first = centred("", size) + "".join(centred(k, size) for k in keys)
    rest = [
        centred(q, size) + "".join(centred(s, size) for s in row)
        for q, row in zip(queries, signs, strict=True)
    ]
    return "\n".join([first, *rest])
