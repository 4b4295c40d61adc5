"""With recursion and match."""

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
    W = np.asarray(weights, float)
    match tokens:
        case [[*rows], [*cols]]:
            pass
        case [*rows]:
            cols = rows
    if W.shape != (len(rows), len(cols)):
        raise ValueError
    n = max(map(display_width, [*rows, *cols]))

    def centre(t):
        return (
            t
            if display_width(t) >= n
            else centre(" " + t + (" " if n - display_width(t) > 1 else ""))
        )

    def pick(w):
        return chars[0] if np.isnan(w) else chars[min(int(w * len(chars)), len(chars) - 1)]

    head = " ".join(centre(t) for t in ["", *cols])
    return "\n".join(
        [head]
        + [
            " ".join([centre(t)] + [centre(pick(w)) for w in row])
            for t, row in zip(rows, W, strict=False)
        ]
    )
