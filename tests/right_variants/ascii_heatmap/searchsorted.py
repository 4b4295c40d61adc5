"""Levels from searchsorted, built line by line in a list."""

import unicodedata

import numpy as np


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    def display(text):
        return sum(1 + (unicodedata.east_asian_width(c) in {"W", "F"}) for c in text)

    if all(isinstance(t, str) for t in tokens):
        tokens = (tokens, tokens)
    queries, keys = tokens
    borders = np.linspace(0, 1, len(chars) + 1)[1:-1]
    margin = max(map(display, queries))
    out = ["".join([" " * margin] + [f" {k}" for k in keys])]
    for i, q in enumerate(queries):
        parts = [q, " " * (margin - display(q))]
        for j, k in enumerate(keys):
            w = weights[i][j]
            sign = chars[0] if np.isnan(w) else chars[np.searchsorted(borders, w, side="right")]
            parts.append(" " + sign + " " * (display(k) - 1))
        out.append("".join(parts))
    return "\n".join(out)
