"""String formatting by cells, one wide cell repeated."""

import unicodedata

import numpy as np


def display_width(text):
    width = 0
    for sign in text:
        if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
    return width


def ascii_heatmap(weights, tokens, chars=" ░▒▓█"):
    W = np.asarray(weights, dtype=float)
    if len(tokens) == 2 and all(not isinstance(t, str) for t in tokens):
        rows, cols = map(list, tokens)
    else:
        rows = cols = list(tokens)
    if W.shape != (len(rows), len(cols)):
        raise ValueError(f"{W.shape} does not fit {len(rows)} and {len(cols)} tokens")
    levels = np.nan_to_num(W * len(chars), nan=0.0).astype(int).clip(0, len(chars) - 1)
    left = max(map(display_width, rows))

    def fill(t, n):
        return t + " " * (n - display_width(t))

    table = [" " * left + "|" + "|".join(cols)]
    for t, lev in zip(rows, levels, strict=False):
        table.append(
            fill(t, left)
            + "|"
            + "|".join(fill(chars[v], display_width(c)) for v, c in zip(lev, cols, strict=False))
        )
    return "\n".join(table)
