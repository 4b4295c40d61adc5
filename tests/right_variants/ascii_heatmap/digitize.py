"""Levels from np.digitize on the inner borders."""

import unicodedata

import numpy as np


def cells(text):
    return len(text) + sum(unicodedata.east_asian_width(c) in "WF" for c in text)


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    W = np.nan_to_num(np.array(weights, dtype=float))
    steps = np.arange(1, len(chars)) / len(chars)
    levels = np.digitize(W, steps)
    queries, keys = (tokens, tokens) if isinstance(tokens[0], str) else tokens
    broad = max(cells(t) for t in [*queries, *keys]) + 1
    head = " " * broad + "".join(" " * (broad - cells(k)) + k for k in keys)
    body = [
        q + " " * (broad - cells(q)) + "".join(" " * (broad - 1) + chars[v] for v in row)
        for q, row in zip(queries, levels, strict=True)
    ]
    return "\n".join([head, *body])
