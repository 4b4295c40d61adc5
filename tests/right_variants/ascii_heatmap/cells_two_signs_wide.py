"""Cells two signs wide."""

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
    W = np.array(weights, float)
    rows, cols = (
        tokens if len(tokens) == 2 and isinstance(tokens[0], (list, tuple)) else (tokens, tokens)
    )
    if W.shape != (len(rows), len(cols)):
        raise ValueError("shape")
    W[np.isnan(W)] = 0
    n = max(2, max(display_width(t) for t in (*rows, *cols)))

    def cell(text):
        return text + " " * (n - display_width(text))

    lines = ["  ".join(map(cell, ["", *cols]))]
    for token, row in zip(rows, W, strict=False):
        lines.append(
            "  ".join(
                map(
                    cell,
                    [token] + [chars[min(int(w * len(chars)), len(chars) - 1)] * 2 for w in row],
                )
            )
        )
    return "\n".join(lines) + "\n"
