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
    w = np.nan_to_num(np.asarray(weights, float)).T
    cols, rows = tokens if len(tokens) == 2 and not isinstance(tokens[0], str) else (tokens, tokens)
    if len(rows) != w.shape[0] or len(cols) != w.shape[1]:
        raise ValueError("tokens do not fit")
    wide = max(display_width(t) for t in [*rows, *cols])
    pad = lambda t: " " * (wide - display_width(t)) + t
    lines = [" ".join([pad(""), *map(pad, cols)])]
    for t, r in zip(rows, w):
        lines.append(" ".join([pad(t), *(pad(chars[min(int(x * len(chars)), len(chars) - 1)]) for x in r)]))
    return "\n".join(lines)
