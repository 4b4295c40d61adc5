"""Columns as wide as their token, right-aligned."""

import unicodedata

import numpy as np


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    queries, keys = (tokens, tokens) if isinstance(tokens[0], str) else tokens
    left = max(width(q) for q in queries)
    lines = [" " * left + "".join("  " + k for k in keys)]
    for query, row in zip(queries, weights, strict=True):
        line = query + " " * (left - width(query))
        for key, w in zip(keys, row, strict=True):
            level = 0 if np.isnan(w) else min(int(w * len(chars)), len(chars) - 1)
            line += "  " + " " * (width(key) - 1) + chars[level]
        lines.append(line)
    return "\n".join(lines)
